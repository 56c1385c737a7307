import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The messages received so far. */
export interface SinkCount {
  readonly messages: number;
  /** Arrival of the first and the latest message, in milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

/**
 * A network that accepts every message, by default immediately, so that benches measure Parley alone. Runs as a
 * separate process and records when the messages of each phone arrive.
 */
export class Sink {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Sink> {
    const child = fork(fileURLToPath(import.meta.url), ['sink']);
    const [port] = (await once(child, 'message')) as [number];
    return new Sink(child, `http://127.0.0.1:${port}`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async count(): Promise<SinkCount> {
    return (await (await fetch(`${this.url}/count`)).json()) as SinkCount;
  }

  /** Arrival times by `phone_number_id`, in milliseconds since the epoch, sorted. */
  async arrivals(): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = (await (await fetch(`${this.url}/arrivals`)).json()) as Record<string, number[]>;
    return new Map(Object.entries(found));
  }

  /** Delays the responses to messages from these phones by `ms`. */
  async delay(phoneNumberIds: readonly string[], ms: number): Promise<void> {
    const confirmed = once(this.child, 'message');
    this.child.send({ phoneNumberIds, ms } satisfies Delay);
    await confirmed;
  }

  /** Resets the counts. */
  async reset(): Promise<void> {
    await fetch(`${this.url}/reset`);
  }

  stop(): void {
    this.child.kill();
  }
}

interface Delay {
  readonly phoneNumberIds: readonly string[];
  readonly ms: number;
}

function serve(): void {
  let total = 0;
  let [messages, first, last] = [0, 0, 0];
  const arrivals = new Map<string, number[]>();
  const delays = new Map<string, number>();
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      if (request.url === '/reset') {
        messages = 0;
        arrivals.clear();
      }
      const answer = request.url === '/arrivals' ? Object.fromEntries(arrivals) : { messages, first, last };
      response.end(JSON.stringify(answer));
      return;
    }
    request.resume();
    request.on('end', () => {
      last = Date.now();
      if (messages === 0) first = last;
      messages += 1;
      total += 1;
      // /v23.0/{phone_number_id}/messages
      const phone = request.url?.split('/')[2] ?? '';
      const before = arrivals.get(phone);
      if (before === undefined) arrivals.set(phone, [last]);
      else before.push(last);
      const answer = `{"messages":[{"id":"wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYE${process.pid}${total}"}]}`;
      const delay = delays.get(phone);
      if (delay === undefined) response.end(answer);
      else setTimeout(() => response.end(answer), delay);
    });
  });
  server.keepAliveTimeout = 60_000;
  process.on('message', ({ phoneNumberIds, ms }: Delay) => {
    for (const phone of phoneNumberIds) delays.set(phone, ms);
    process.send?.('done');
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (process.argv[2] === 'sink') serve();
