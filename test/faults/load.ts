import { closed, opened } from '../support/left-open.js';

/** Timeout of a request, milliseconds: ten times as long as Parley may keep a caller waiting for the database. */
export const GIVE_UP_MS = 100_000;
const BODY_CHARACTERS = 200;

/** The outcome of one request. */
export interface Outcome {
  /** Start time, milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** The HTTP status, or the reason for a missing answer: `ECONNRESET`, `timeout`. */
  readonly status: number | string;
  readonly retryAfter: string | null;
  /** The start of the response body. */
  readonly text: string;
}

/** Makes one request and never rejects. */
export async function measured(url: string, init: RequestInit = {}): Promise<Outcome> {
  const at = Date.now();
  const from = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) });
    const text = (await response.text()).slice(0, BODY_CHARACTERS);
    const { status, headers } = response;
    return { at, ms: performance.now() - from, status, retryAfter: headers.get('retry-after'), text };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const status = name === 'TimeoutError' ? 'timeout' : (cause?.code ?? cause?.message ?? message);
    return { at, ms: performance.now() - from, status, retryAfter: null, text: '' };
  }
}

/**
 * Makes requests at a steady rate, however slowly they are answered, so that a standstill shows as many slow requests
 * rather than one.
 */
export class Load {
  private readonly pending = new Set<Promise<unknown>>();
  private readonly timer: NodeJS.Timeout;
  private made = 0;

  /** @param request makes the next request; returns null when there are none left */
  constructor(perSecond: number, request: (index: number) => Promise<unknown> | null) {
    opened(this, 'a Load', async () => clearInterval(this.timer));
    const startedAt = performance.now();
    this.timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      for (; this.made < due; this.made += 1) {
        const answered = request(this.made);
        if (answered === null) continue;
        this.pending.add(answered);
        void answered.finally(() => this.pending.delete(answered));
      }
    }, 5);
  }

  /** Stops and waits for pending requests. */
  async stop(): Promise<void> {
    closed(this);
    clearInterval(this.timer);
    await Promise.all(this.pending);
  }
}
