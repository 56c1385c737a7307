import { MINUTE, SECOND } from '../values/clock.js';
import type { MediaKind } from './media-limits.js';
import type { MediaSource } from './media-source.js';

/** The type and size of a customer's media file. */
export interface ProbedMedia {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** Total time limit of a probe. */
export const MAX_PROBE_MS = 10 * SECOND;
/** How long a result is cached. */
const CACHE_TTL_MS = 5 * MINUTE;
/** Maximum number of cached results; the least recently used is evicted first. */
const MAX_RESULTS = 10_000;

interface Result {
  /** By `performance.now()`. */
  readonly until: number;
  readonly media: Promise<ProbedMedia>;
}

/**
 * Checks before a send that a media file can be fetched, that its content is of an accepted type, and that it is within
 * the size limit. Concurrent probes of the same file share one request; failures are not cached.
 */
export class MediaProbe {
  /** Least recently used first. */
  private readonly results = new Map<string, Result>();

  constructor(private readonly source: MediaSource) {}

  /** @throws DomainError `bad_request` naming `media_url` and what is wrong with it */
  probe(url: string, kind: MediaKind): Promise<ProbedMedia> {
    const key = `${kind} ${url}`;
    const known = this.results.get(key);
    this.results.delete(key);
    if (known !== undefined && known.until > performance.now()) {
      this.results.set(key, known);
      return known.media;
    }
    const result: Result = { until: performance.now() + CACHE_TTL_MS, media: this.ask(url, kind) };
    this.results.set(key, result);
    result.media.catch(() => {
      if (this.results.get(key) === result) this.results.delete(key);
    });
    this.evict();
    return result.media;
  }

  private async ask(url: string, kind: MediaKind): Promise<ProbedMedia> {
    const medium = await this.source.open(url, kind, { headOnly: true, timeoutMs: MAX_PROBE_MS });
    try {
      return { mimeType: medium.mimeType, size: medium.size ?? (await countBytes(medium.bytes())) };
    } finally {
      medium.close();
    }
  }

  private evict(): void {
    if (this.results.size <= MAX_RESULTS) return;
    for (const oldest of this.results.keys()) {
      this.results.delete(oldest);
      return;
    }
  }
}

async function countBytes(bytes: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}
