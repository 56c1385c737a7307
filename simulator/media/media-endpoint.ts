import { randomBytes } from 'node:crypto';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import type { MediaStore, StoredMedium } from './media-store.js';

const UPLOAD_TYPES = /^(image\/(jpeg|jpg|png)|video\/mp4|application\/[\w.+-]+|text\/plain)$/;
const MEDIA_TYPES =
  /^(image\/(jpeg|png|webp)|video\/(mp4|3gpp)|audio\/[\w.+-]+|application\/[\w.+-]+|text\/plain)(;.*)?$/;
const MB = 1024 * 1024;
/** Upload limits by media type, in bytes. */
const MAX_BYTES: Record<string, number> = { image: 5 * MB, video: 16 * MB, audio: 16 * MB };
const MAX_DOCUMENT_BYTES = 100 * MB;

interface UploadSession {
  length: number;
  type: string;
}

const maxBytes = (type: string): number => MAX_BYTES[type.split('/')[0] ?? ''] ?? MAX_DOCUMENT_BYTES;

/** The media calls of the Graph API: resumable uploads for template headers, and media to send by id. */
export class MediaEndpoint {
  private readonly sessions = new Map<string, UploadSession>();

  constructor(private readonly store: MediaStore) {}

  /** `POST /{app_id}/uploads?file_length&file_type` */
  startUpload({ query }: Exchange): Answer {
    const length = Number(query.get('file_length'));
    const type = query.get('file_type') ?? '';
    if (!Number.isInteger(length) || length < 1) throw GraphError.missing('file_length');
    if (!UPLOAD_TYPES.test(type)) throw new GraphError(100, `file_type ${type} is not supported`);
    if (length > maxBytes(type)) throw new GraphError(100, `file_length exceeds the limit of ${maxBytes(type)} bytes`);
    const id = `upload:${randomBytes(18).toString('base64url')}`;
    this.sessions.set(id, { length, type });
    return { status: 200, json: { id } };
  }

  /** `POST /upload:…` with the header `file_offset: 0` and all bytes. */
  async finishUpload(id: string, { request, body }: Exchange): Promise<Answer> {
    const session = this.sessions.get(id);
    if (!session) throw GraphError.unknownObject(id);
    if (request.headers.file_offset !== '0') throw new GraphError(100, 'The header file_offset must be 0');
    if (body.length !== session.length) {
      throw new GraphError(100, `Expected ${session.length} bytes as announced, received ${body.length}`);
    }
    this.sessions.delete(id);
    return { status: 200, json: { h: await this.store.addHandle(session.type) } };
  }

  /** `POST /{phone_number_id}/media`, a multipart form. */
  async upload(phoneNumberId: string, { request, body }: Exchange): Promise<Answer> {
    const form = await new Response(body, { headers: { 'content-type': request.headers['content-type'] ?? '' } })
      .formData()
      .catch(() => {
        throw new GraphError(100, 'The request body must be multipart/form-data');
      });
    if (form.get('messaging_product') !== 'whatsapp') throw GraphError.missing('messaging_product');
    const file = form.get('file');
    if (file === null || typeof file === 'string') throw GraphError.missing('file');
    const type = String(form.get('type') ?? file.type);
    if (!MEDIA_TYPES.test(type)) throw new GraphError(100, `Param file must be a file with one of the supported types`);
    if (file.size > maxBytes(type)) throw new GraphError(131009, `the file exceeds ${maxBytes(type)} bytes`);
    const { id } = await this.store.add(phoneNumberId, type, Buffer.from(await file.arrayBuffer()));
    return { status: 200, json: { id } };
  }

  describe({ id, mime_type, sha256, file_size }: StoredMedium, base: string): Answer {
    const url = `${base}/media-bytes/${id}`;
    return { status: 200, json: { messaging_product: 'whatsapp', url, mime_type, sha256, file_size, id } };
  }

  async download(id: string): Promise<Answer> {
    const medium = this.store.find(id);
    if (!medium) throw GraphError.unknownObject(id);
    return { status: 200, bytes: await this.store.bytes(medium), type: medium.mime_type };
  }

  async remove(medium: StoredMedium): Promise<Answer> {
    await this.store.remove(medium);
    return { status: 200, json: { success: true } };
  }
}
