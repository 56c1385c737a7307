import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { extensionOf, type MediaKind } from './media-limits.js';
import type { MediaSource, OpenMedia } from './media-source.js';

/** A downloaded media file, available until the callback of {@link MediaDownload.withMedia} resolves. */
export interface DownloadedMedia {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** A name with the extension of its type, for the upload to the network. */
  readonly fileName: string;
  /**
   * The content from the start; may be read several times, but not concurrently. Fails when the download's time is
   * over, so that whoever reads slowly cannot hold the file for longer.
   */
  read(): Readable;
}

/** Limits of a download and of the use of its file. */
export interface DownloadLimits {
  readonly timeoutMs: number;
  /** Cancels both when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Downloads customers' media for upload to the network (template headers). The content goes to a temporary file, so
 * that 100 MB documents do not fill memory. The file is unlinked as soon as it is open, so nothing is left behind even
 * if the process is killed.
 */
export class MediaDownload {
  constructor(private readonly source: MediaSource) {}

  /**
   * Downloads `url`, passes it to `use`, then deletes it.
   *
   * @throws DomainError `bad_request` naming `media_url` and what is wrong with it
   */
  async withMedia<Result>(
    url: string,
    kind: MediaKind,
    limits: DownloadLimits,
    use: (media: DownloadedMedia) => Promise<Result>,
  ): Promise<Result> {
    const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeoutMs)]);
    const medium = await this.source.open(url, kind, { headOnly: false, ...limits });
    try {
      const file = await openUnlinked();
      try {
        const size = await save(medium, file);
        return await use({
          mimeType: medium.mimeType,
          size,
          fileName: nameFor(medium, kind),
          read: () => addAbortSignal(signal, file.createReadStream({ start: 0, autoClose: false })),
        });
      } finally {
        await file.close();
      }
    } finally {
      medium.close();
    }
  }
}

async function openUnlinked(): Promise<FileHandle> {
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
  const stem = fileName.replace(/\.[^.]*$/, '') || 'media';
  return `${stem}.${extensionOf(kind, mimeType)}`;
}
