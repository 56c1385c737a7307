import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { MINUTE } from '../values/clock.js';
import { MEDIA_LIMITS, type MediaKind } from './media-limits.js';
import type { MediaSource, OpenMedia } from './media-source.js';

/** A downloaded medium, good until the work that it was downloaded for is done. */
export interface DownloadedMedia {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** A name with the extension of the type, for the network's upload. */
  readonly fileName: string;
  /** The bytes from the first one on; may be read several times, one after the other. */
  read(): Readable;
}

/** Time that a download has in all. */
const TIMEOUT_MS = MINUTE;

/**
 * Downloads customers' media for the network's upload (template headers). The bytes wait in a temporary file, so that
 * documents of 100 MB do not fill the memory; the file has no name once it is open, so nothing is left behind however
 * the process ends.
 */
export class MediaDownload {
  constructor(private readonly source: MediaSource) {}

  /**
   * Downloads `url` and hands it to `use`; afterwards it is gone.
   *
   * @throws DomainError `bad_request` naming `media_url` and what is wrong with it
   */
  async withMedia<Result>(
    url: string,
    kind: MediaKind,
    use: (media: DownloadedMedia) => Promise<Result>,
  ): Promise<Result> {
    const medium = await this.source.open(url, kind, { headOnly: false, timeoutMs: TIMEOUT_MS });
    try {
      const file = await openNameless();
      try {
        const size = await save(medium, file);
        return await use({
          mimeType: medium.mimeType,
          size,
          fileName: nameFor(medium, kind),
          read: () => file.createReadStream({ start: 0, autoClose: false }),
        });
      } finally {
        await file.close();
      }
    } finally {
      medium.close();
    }
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `parley-media-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function save(medium: OpenMedia, file: FileHandle): Promise<number> {
  let size = 0;
  for await (const chunk of medium.bytes()) {
    await file.writeFile(chunk);
    size += chunk.length;
  }
  return size;
}

function nameFor({ fileName, mimeType }: OpenMedia, kind: MediaKind): string {
  const extension = (MEDIA_LIMITS[kind].formats[mimeType] ?? '').toLowerCase();
  const stem = fileName.replace(/\.[^.]*$/, '') || 'media';
  return `${stem}.${extension === 'jpeg' ? 'jpg' : extension}`;
}
