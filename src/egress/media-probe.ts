import { MINUTE, SECOND } from '../values/clock.js';
import { acceptsType, type MediaKind, wrongServedType } from './media-limits.js';
import { type MediaSource, refuse } from './media-source.js';

/** The type and size of a customer's media file. */
export interface ProbedMedia {
  /** By its content. */
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Whether a sticker moves. */
  readonly isAnimated: boolean;
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
  isPending: boolean;
}

/**
 * Checks before a send that a media file can be fetched, and that it is what the network will take from the same URL: of
 * an accepted type by its content and by the type under which it is served, and within the size limit. Concurrent probes
 * of the same file share one request; failures are not cached.
 */
export class MediaProbe {
  /** Least recently used first. */
  private readonly results = new Map<string, Result>();

  constructor(private readonly source: MediaSource) {}

  /** @throws DomainError `bad_request` naming `media_url` and what is wrong with it */
  probe(url: string, kind: MediaKind): Promise<ProbedMedia> {
    return this.recall(url, kind, ({ until }) => until > performance.now());
  }

  /** Like {@link probe}, but looks at the file again even if the last look is recent. */
  probeAgain(url: string, kind: MediaKind): Promise<ProbedMedia> {
    return this.recall(url, kind, ({ isPending }) => isPending);
  }

  private recall(url: string, kind: MediaKind, isGood: (known: Result) => boolean): Promise<ProbedMedia> {
    const key = `${kind} ${url}`;
    const known = this.results.get(key);
    this.results.delete(key);
    const result = known !== undefined && isGood(known) ? known : this.asked(key, url, kind);
    this.results.set(key, result);
    this.evict();
    return result.media;
  }

  private asked(key: string, url: string, kind: MediaKind): Result {
    const media = this.ask(url, kind);
    const result: Result = { until: performance.now() + CACHE_TTL_MS, media, isPending: true };
    const settle = (): void => {
      result.isPending = false;
    };
    media.then(settle, () => {
      settle();
      if (this.results.get(key) === result) this.results.delete(key);
    });
    return result;
  }

  private async ask(url: string, kind: MediaKind): Promise<ProbedMedia> {
    const medium = await this.source.open(url, kind, { headOnly: true, timeoutMs: MAX_PROBE_MS });
    try {
      const { mimeType, servedAs, size, isAnimated } = medium;
      if (servedAs === null || !acceptsType(kind, servedAs)) throw refuse(wrongServedType(kind, servedAs));
      return { mimeType, size: size ?? (await countBytes(medium.bytes())), isAnimated };
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
