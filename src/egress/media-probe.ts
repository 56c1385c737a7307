import { MINUTE, SECOND } from '../values/clock.js';
import type { MediaKind } from './media-limits.js';
import type { MediaSource } from './media-source.js';

/** What is known about a customer's medium. */
export interface ProbedMedia {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** Time that a probe has in all. */
export const MAX_PROBE_MS = 10 * SECOND;
/** Time that a result holds. */
const CACHE_TTL_MS = 5 * MINUTE;
/** Results kept at most; the one not used for longest goes first. */
const MAX_RESULTS = 10_000;

interface Result {
  /** By `performance.now()`. */
  readonly until: number;
  readonly media: Promise<ProbedMedia>;
}

/**
 * Checks before a send that a medium can be fetched, is of an accepted type by its content, and within its size
 *. Callers that ask for the same medium at the same time share one request; failures are not kept.
 */
export class MediaProbe {
  /** In order of use, oldest first. */
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
