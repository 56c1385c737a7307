import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * A client's upload, buffered on disk until it is complete, so that a slow client holds neither memory nor a database
 * connection. The file is unlinked on creation: it disappears with its handle, even if the process is killed.
 */
export class UploadFile {
  private constructor(private readonly handle: FileHandle) {}

  static async create(): Promise<UploadFile> {
    const path = join(tmpdir(), `parley-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new UploadFile(handle);
  }

  async fill(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) await this.handle.appendFile(chunk);
  }

  /** The bytes from the start. */
  read(): Readable {
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }

  /** SHA-256 of the bytes, in hex. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read()) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  async discard(): Promise<void> {
    await this.handle.close();
  }
}
