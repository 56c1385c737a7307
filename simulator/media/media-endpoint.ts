import { randomBytes } from 'node:crypto';
import type { Behaviour } from '../control/behaviour.js';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { EXPIRED, type MediaFault, spoilt } from './media-faults.js';
import type { MediaStore } from './media-store.js';
import { kindOfType, maxBytesOf, suits } from './media-types.js';
import type { MediaUrls } from './media-urls.js';
import type { ReceivedMedia } from './received-media.js';
import { suffer } from './upload-faults.js';

const UPLOAD_TYPES = /^(image\/(jpeg|jpg|png)|video\/mp4|application\/[\w.+-]+|text\/plain)$/;
const MB = 1024 * 1024;
/** Upload limits by media type, in bytes. */
const MAX_BYTES: Record<string, number> = { image: 5 * MB, video: 16 * MB, audio: 16 * MB };
const MAX_DOCUMENT_BYTES = 100 * MB;

interface UploadSession {
  length: number;
  type: string;
}

const maxBytes = (type: string): number => MAX_BYTES[type.split('/')[0] ?? ''] ?? MAX_DOCUMENT_BYTES;

/** The media calls of the Graph API: uploads for template headers, media to send by id, and the files that people send. */
export class MediaEndpoint {
  private readonly sessions = new Map<string, UploadSession>();

  constructor(
    private readonly store: MediaStore,
    private readonly received: ReceivedMedia,
    private readonly urls: MediaUrls,
    private readonly behaviour: Behaviour,
  ) {}

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
  async upload(phoneNumberId: string, { request, body, query }: Exchange): Promise<Answer> {
    const form = await new Response(body, { headers: { 'content-type': request.headers['content-type'] ?? '' } })
      .formData()
      .catch(() => {
        throw new GraphError(100, 'The request body must be multipart/form-data');
      });
    if ((form.get('messaging_product') ?? query.get('messaging_product')) !== 'whatsapp')
      throw GraphError.missing('messaging_product');
    const file = form.get('file');
    if (file === null || typeof file === 'string') throw GraphError.missing('file');
    const type = String(form.get('type') ?? file.type);
    const kind = kindOfType(type);
    if (kind === undefined) {
      const details = `Param file must be a file with one of the supported types, but is ${type}`;
      throw new GraphError(100, details);
    }
    const bytes = Buffer.from(await file.arrayBuffer());
    const most = maxBytesOf(kind, bytes);
    if (bytes.length > most) throw new GraphError(131009, `the file exceeds ${most} bytes`);
    if (!suits(kind, type, bytes)) throw new GraphError(131053, `the file is not of the type ${type}`);
    const { settings, random } = this.behaviour;
    const { upload_fault: fault } = settings;
    if (fault && random.chance(fault.rate ?? 1)) await suffer(fault);
    const { id } = await this.store.add(phoneNumberId, type, bytes);
    return { status: 200, json: { id } };
  }

  /** `GET` and `DELETE /{media_id}`; null if there is no such file, or no longer. */
  async ofMedium(id: string, { method, query }: Exchange): Promise<Answer | null> {
    const received = this.received.find(id);
    const medium = received ?? this.store.find(id);
    if (!medium || (query.get('phone_number_id') ?? medium.phone_number_id) !== medium.phone_number_id) return null;
    if (method === 'DELETE') {
      if (received) await this.received.remove(received);
      else await this.store.remove(medium);
      return { status: 200, json: { success: true } };
    }
    if (method !== 'GET') return null;
    if (received && this.fault()?.kind === 'unavailable') throw new GraphError(2, 'Service temporarily unavailable');
    const { mime_type, sha256, file_size } = medium;
    const url = received ? this.urlOf(id) : this.urls.of(id);
    return { status: 200, json: { messaging_product: 'whatsapp', url, mime_type, sha256, file_size, id } };
  }

  /** Where the file of a customer can be fetched. */
  urlOf(id: string): string {
    const fault = this.fault();
    return fault?.kind === 'elsewhere' && fault.to !== undefined ? fault.to : this.urls.of(id);
  }

  /** The bytes of the file that the address names. */
  download({ query }: Exchange): Answer {
    const id = this.urls.idIn(query);
    const received = id === null ? undefined : this.received.find(id);
    const medium = received ?? (id === null ? undefined : this.store.find(id));
    if (!medium) return EXPIRED;
    const answer = {
      status: 200,
      headers: { 'content-type': medium.mime_type, 'content-length': String(medium.file_size) },
      body: () => (received ? this.received.read(received) : this.store.read(medium)),
    };
    const fault = received ? this.fault() : null;
    return fault ? spoilt(answer, medium.file_size, fault) : answer;
  }

  /** What is wrong with the next file, if anything. */
  private fault(): MediaFault | null {
    const { settings, random } = this.behaviour;
    const { media_fault: fault } = settings;
    return fault && random.chance(fault.rate ?? 1) ? fault : null;
  }
}
