import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';

/** Media, as described by `GET /{media_id}`. */
export interface StoredMedium {
  id: string;
  phone_number_id: string;
  mime_type: string;
  sha256: string;
  file_size: number;
  at: number;
}

interface Line extends Partial<StoredMedium> {
  handle?: string;
  handle_type?: string;
  deleted?: boolean;
}

/** Stores uploaded media for `upload_days`, and the handles of header uploads. The bytes are in a directory next to it. */
export class MediaStore {
  private readonly media = new Map<string, StoredMedium>();
  private readonly handles = new Map<string, string>();
  private log: AppendLog;

  private constructor(
    private readonly directory: string,
    private readonly days: () => number,
  ) {}

  /** @param days how long media are kept */
  static async open(path: string, directory: string, days: () => number): Promise<MediaStore> {
    await mkdir(directory, { recursive: true });
    const store = new MediaStore(directory, days);
    store.log = AppendLog.open(path, (text) => {
      const { handle, handle_type, deleted, ...medium } = JSON.parse(text) as Line & StoredMedium;
      if (handle !== undefined) store.handles.set(handle, handle_type ?? '');
      else if (deleted) store.media.delete(medium.id);
      else store.media.set(medium.id, medium);
    });
    return store;
  }

  async addHandle(type: string): Promise<string> {
    const handle = `4::${Buffer.from(type).toString('base64url')}:ARZ${randomBytes(24).toString('base64url')}`;
    this.handles.set(handle, type);
    await this.log.append(asciiJson({ handle, handle_type: type }));
    return handle;
  }

  /** MIME type of an upload; undefined for an unknown handle. */
  handleType(handle: string): string | undefined {
    return this.handles.get(handle);
  }

  async add(phoneNumberId: string, type: string, bytes: Buffer): Promise<StoredMedium> {
    const medium = {
      id: `${Date.now()}${randomBytes(2).readUInt16BE().toString().padStart(5, '0')}`,
      phone_number_id: phoneNumberId,
      mime_type: type,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_size: bytes.length,
      at: Date.now(),
    };
    await writeFile(join(this.directory, medium.id), bytes);
    this.media.set(medium.id, medium);
    await this.log.append(asciiJson(medium));
    return medium;
  }

  find(id: string): StoredMedium | undefined {
    const medium = this.media.get(id);
    return medium && Date.now() - medium.at < this.days() * DAY ? medium : undefined;
  }

  /** The bytes of a file, in pieces. */
  read({ id }: StoredMedium): AsyncIterable<Buffer> {
    return createReadStream(join(this.directory, id));
  }

  async remove({ id }: StoredMedium): Promise<void> {
    this.media.delete(id);
    await this.log.append(asciiJson({ id, deleted: true }));
    await rm(join(this.directory, id), { force: true });
  }

  close(): void {
    this.log.close();
  }
}
