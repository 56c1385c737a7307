import { EventParser } from './event-parser.js';

/** The first event has to be there within this time, milliseconds; a proxy that collects answers never sends it. */
const HELLO_WITHIN_MS = 10_000;
/** Parley says something every 15 seconds; with nothing for this long, the connection is dead. Milliseconds. */
const MAX_SILENCE_MS = 32_000;
const MS_PER_SECOND = 1000;

/** How a stream has ended. */
export type StreamEnd =
  | { readonly kind: 'closed' | 'broken' | 'reset' | 'signed_out' }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs: number };

interface StreamListener {
  /** Called for everything that arrives, comments too. */
  readonly onHeard: () => void;
  readonly onEvent: (event: string, data: unknown) => void;
}

/** One stream of events, read by `fetch`: an `EventSource` says neither why it was refused nor when to try again. */
export class LiveStream {
  private readonly abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  /** Never rejects. */
  readonly ended: Promise<StreamEnd>;

  constructor(accountId: string, topics: readonly string[], listener: StreamListener) {
    this.ended = this.read(
      `/api/v1/stream?${new URLSearchParams({ account: accountId, topics: topics.join(',') })}`,
      listener,
    );
  }

  close(): void {
    this.isClosed = true;
    this.abort.abort();
  }

  private async read(address: string, { onHeard, onEvent }: StreamListener): Promise<StreamEnd> {
    const { signal } = this.abort;
    this.expectWithin(HELLO_WITHIN_MS);
    try {
      const response = await fetch(address, { headers: { accept: 'text/event-stream' }, cache: 'no-store', signal });
      if (!response.ok) {
        const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * MS_PER_SECOND;
        return { kind: 'refused', status: response.status, retryAfterMs };
      }
      // A page of somebody else, which a hotel or a proxy put in its place.
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return { kind: 'broken' };
      const [reader, parser] = [response.body?.getReader(), new EventParser()];
      for (;;) {
        const part = await reader?.read();
        if (this.isClosed || part === undefined || part.done) break;
        onHeard();
        this.expectWithin(MAX_SILENCE_MS);
        for (const { event, data } of parser.push(part.value)) {
          if (event === 'reset' || event === 'signed_out') return { kind: event };
          onEvent(event, JSON.parse(data));
        }
      }
    } catch {
      // The same as an end without a reason.
    } finally {
      clearTimeout(this.timer);
      this.abort.abort();
    }
    return { kind: this.isClosed ? 'closed' : 'broken' };
  }

  private expectWithin(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort.abort(), ms);
  }
}
