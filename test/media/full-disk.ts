import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes the disk of a directory full for files that are created in it: they take so many bytes, and every further write goes
 * to `/dev/full`, so that the kernel refuses it with ENOSPC as it does on a full disk.
 */
export class FullDisk {
  /** Writes that the kernel refused. */
  refusals = 0;
  private spy: jest.SpyInstance | null = null;

  constructor(private readonly directory: string) {}

  /** @param free bytes that each file still gets */
  fill(free: number): void {
    const { open } = fs;
    this.spy = jest.spyOn(fs, 'open').mockImplementation(async (file, flags, mode) => {
      const handle = await open(file, flags, mode);
      if (flags !== 'wx' || path.dirname(String(file)) !== this.directory) return handle;
      let left = free;
      const write = handle.write.bind(handle);
      handle.write = (async (chunk: Buffer, at: number) => {
        if (left > 0) {
          const { bytesWritten } = await write(chunk, at, Math.min(left, chunk.length - at));
          left -= bytesWritten;
          return { bytesWritten };
        }
        const full = await open('/dev/full', 'w');
        try {
          return await full.write(chunk, at);
        } catch (error) {
          this.refusals += 1;
          throw error;
        } finally {
          await full.close();
        }
      }) as typeof handle.write;
      return handle;
    });
  }

  empty(): void {
    this.spy?.mockRestore();
  }
}
