import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that are read at once. */
const CHUNK_BYTES = 64 * 1024;

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

  /** The bytes from the start; may be left before the end. */
  async *read(): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      const { buffer, bytesRead } = await this.handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES), position });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** The first bytes and the last ones, `length` of each or fewer if there are no more. */
  async ends(length: number): Promise<{ readonly head: Buffer; readonly tail: Buffer }> {
    const { size } = await this.handle.stat();
    const part = async (start: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await this.handle.read({ buffer: Buffer.alloc(length), position: start });
      return buffer.subarray(0, bytesRead);
    };
    return { head: await part(0), tail: await part(Math.max(0, size - length)) };
  }

  /** SHA-256 of the bytes, in hex. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read()) hash.update(chunk);
    return hash.digest('hex');
  }

  async discard(): Promise<void> {
    await this.handle.close();
  }
}
