import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What the sink has taken so far. */
export interface SinkCount {
  readonly messages: number;
  /** When the first and the latest of them came, milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

/** A network that accepts every message at once, in a process of its own: what is left is our own work. */
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

  /** Starts counting anew. */
  async reset(): Promise<void> {
    await fetch(`${this.url}/reset`);
  }

  stop(): void {
    this.child.kill();
  }
}

function serve(): void {
  let taken = 0;
  let [messages, first, last] = [0, 0, 0];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      if (request.url === '/reset') messages = 0;
      response.end(JSON.stringify({ messages, first, last }));
      return;
    }
    request.resume();
    request.on('end', () => {
      last = Date.now();
      if (messages === 0) first = last;
      messages += 1;
      taken += 1;
      response.end(`{"messages":[{"id":"wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYE${process.pid}${taken}"}]}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (process.argv[2] === 'sink') serve();
