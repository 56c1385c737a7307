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
  render(): string;
  /** Called after a 2xx response; the callback is not sent again. */
  delivered(status: number): void;
  /** Called after a failed attempt, with its status or 0 for no response. The callback is retried. */
  missed?(status: number): void;
}

/**
 * Delivers signed callbacks, by default at most 32 at a time. Each is retried (after 0.2 s, doubling up to 5 s) until
 * the receiver responds 2xx within 10 s. Without a URL they wait.
 */
export class CallbackSender {
  private readonly agent: Agent;
  private queue: { callback: Callback; attempts: number }[] = [];
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

  send(callback: Callback): void {
    this.enqueue(callback, 0);
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

  private enqueue(callback: Callback, attempts: number): void {
    this.queue.push({ callback, attempts });
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
      if (next) this.attempt(this.target, next.callback, next.attempts + 1);
    }
  }

  private attempt(target: URL, callback: Callback, attempts: number): void {
    const { generation } = this;
    this.inFlight += 1;
    this.post(target, callback.render(), (status) => {
      const delivered = status >= 200 && status < 300;
      if (generation === this.generation) {
        this.failuresInRow = delivered ? 0 : this.failuresInRow + 1;
        if (delivered) callback.delivered(status);
        else this.retry(callback, attempts, status);
      }
      if (delivered || this.failuresInRow < DOWN_AFTER) this.release();
      else this.wheel.after(PROBE_PAUSE, () => this.release());
    });
  }

  private release(): void {
    this.inFlight -= 1;
    this.pump();
  }

  private retry(callback: Callback, attempts: number, status: number): void {
    const { generation } = this;
    callback.missed?.(status);
    this.wheel.after(Math.min(FIRST_RETRY * 2 ** (attempts - 1), MAX_RETRY_DELAY), () => {
      if (generation === this.generation) this.enqueue(callback, attempts);
    });
  }

  /** Posts once; `done` gets the status, or 0 without a response. */
  private post(target: URL, body: string, done: (status: number) => void): void {
    let finished = false;
    const finish = (status: number): void => {
      if (finished) return;
      finished = true;
      done(status);
    };
    const attempt = request(target, {
      method: 'POST',
      agent: this.agent,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': `sha256=${createHmac('sha256', this.appSecret).update(body, 'latin1').digest('hex')}`,
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
