import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { SECOND } from '../../src/values/clock.js';
import type { TimingWheel } from './timing-wheel.js';

const IN_FLIGHT = 32;
const TIMEOUT = 10 * SECOND;
const FIRST_RETRY = 0.2 * SECOND;
const MAX_RETRY_DELAY = 5 * SECOND;
/** After this many failures in a row the receiver counts as down: to save CPU, only two probes run, 25 ms apart. */
const DOWN_AFTER = 64;
const PROBES = 2;
const PROBE_PAUSE = 25;

/** One callback to deliver. Its body is rendered for each attempt, so a long queue needs little memory. */
export interface Callback {
  /** What it is about, which decides who gets it; without it, the first app does. */
  about?: { wabaId: string; field: string };
  render(): string;
  /** Called after a 2xx response; the callback is not sent again. */
  delivered(status: number): void;
  /** Called after a failed attempt, with its status or 0 for no response. The callback is retried. */
  missed?(status: number): void;
}

/** A URL that gets a callback, signed with the secret of its app; null for that of the first app. */
export type Destination = { url: string; secret: string } | null;

/** Only plain HTTP is spoken here: callbacks to any other URL are lost. */
export const isNowhere = (url: string): boolean => !url.startsWith('http://');

/** A callback that waits for its next attempt. */
interface Waiting {
  callback: Callback;
  destination: Destination;
  attempts: number;
}

/**
 * Delivers signed callbacks, by default at most 32 at a time. Each is retried (after 0.2 s, doubling up to 5 s) until
 * the receiver responds 2xx within 10 s. Without a URL they wait.
 */
export class CallbackSender {
  private readonly agent: Agent;
  /** Who gets a callback about an account. */
  routes: (wabaId: string, field: string) => Destination[] = () => [null];
  private queue: Waiting[] = [];
  private head = 0;
  private inFlight = 0;
  private failuresInRow = 0;
  private generation = 0;
  private target: URL | undefined;
  private stopped = false;

  constructor(
    private readonly appSecret: string,
    private readonly wheel: TimingWheel,
    private readonly atOnce = IN_FLIGHT,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: atOnce, maxFreeSockets: atOnce });
  }

  get url(): string | undefined {
    return this.target?.href;
  }

  set url(url: string | undefined) {
    this.target = url === undefined ? undefined : new URL(url);
    this.failuresInRow = 0;
    this.pump();
  }

  /** Sends a callback to everybody who gets it. It counts as delivered when all of them have it, or nobody gets it. */
  send(callback: Callback): void {
    const destinations = callback.about ? this.routes(callback.about.wabaId, callback.about.field) : [null];
    const [only, ...others] = destinations;
    if (only !== undefined && others.length === 0) {
      this.enqueue({ callback, destination: only, attempts: 0 });
      return;
    }
    let missing = destinations.length;
    const delivered = (status: number): void => {
      missing -= 1;
      if (missing <= 0) callback.delivered(status);
    };
    for (const destination of destinations) {
      this.enqueue({ callback: { ...callback, delivered }, destination, attempts: 0 });
    }
    if (missing === 0) callback.delivered(0);
  }

  /** Drops waiting callbacks and aborts attempts in flight. */
  reset(): void {
    this.generation += 1;
    this.queue = [];
    this.head = 0;
    this.failuresInRow = 0;
    this.agent.destroy();
  }

  stop(): void {
    this.stopped = true;
    this.reset();
  }

  private enqueue(waiting: Waiting): void {
    this.queue.push(waiting);
    this.pump();
  }

  private pump(): void {
    if (!this.target || this.stopped) return;
    while (this.head < this.queue.length && this.inFlight < (this.failuresInRow < DOWN_AFTER ? this.atOnce : PROBES)) {
      const next = this.queue[this.head];
      this.head += 1;
      if (this.head > 1024 && this.head * 2 > this.queue.length) {
        this.queue = this.queue.slice(this.head);
        this.head = 0;
      }
      if (next) this.attempt(this.target, { ...next, attempts: next.attempts + 1 });
    }
  }

  private attempt(target: URL, waiting: Waiting): void {
    const { generation } = this;
    const { callback, destination } = waiting;
    this.inFlight += 1;
    const to = destination === null ? { url: target, secret: this.appSecret } : destination;
    this.post(to, callback.render(), (status) => {
      const delivered = status >= 200 && status < 300;
      if (generation === this.generation) {
        this.failuresInRow = delivered ? 0 : this.failuresInRow + 1;
        if (delivered) callback.delivered(status);
        else this.retry(waiting, status);
      }
      if (delivered || this.failuresInRow < DOWN_AFTER) this.release();
      else this.wheel.after(PROBE_PAUSE, () => this.release());
    });
  }

  private release(): void {
    this.inFlight -= 1;
    this.pump();
  }

  private retry(waiting: Waiting, status: number): void {
    const { generation } = this;
    const { callback, attempts } = waiting;
    callback.missed?.(status);
    this.wheel.after(Math.min(FIRST_RETRY * 2 ** (attempts - 1), MAX_RETRY_DELAY), () => {
      if (generation === this.generation) this.enqueue(waiting);
    });
  }

  /** Posts once; `done` gets the status, or 0 without a response. */
  private post(
    { url, secret }: { url: URL | string; secret: string },
    body: string,
    done: (status: number) => void,
  ): void {
    let finished = false;
    const finish = (status: number): void => {
      if (finished) return;
      finished = true;
      done(status);
    };
    const attempt = request(url, {
      method: 'POST',
      agent: this.agent,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body, 'latin1').digest('hex')}`,
      },
    });
    attempt.setTimeout(TIMEOUT, () => attempt.destroy());
    attempt.on('error', () => finish(0));
    attempt.on('close', () => finish(0));
    attempt.on('response', (response) => {
      response.resume();
      finish(response.statusCode ?? 0);
    });
    attempt.end(body, 'latin1');
  }
}
