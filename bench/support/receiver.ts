import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * A webhook receiver that responds 200 immediately and counts requests. Runs as a separate process. It closes connections
 * on which `/close` was asked for.
 */
export class Receiver {
  private count = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (count: number) => {
      this.count = count;
    });
  }

  static async start(): Promise<Receiver> {
    const child = fork(fileURLToPath(import.meta.url), ['receiver']);
    const [port] = (await once(child, 'message')) as [number];
    return new Receiver(child, `http://127.0.0.1:${port}/hook`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get received(): number {
    return this.count;
  }

  /** Resolves once `count` requests have arrived in total. */
  async hasReceived(count: number): Promise<void> {
    while (this.count < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  stop(): void {
    this.child.kill();
  }
}

function serve(): void {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      count += 1;
      if (request.url === '/close') response.setHeader('connection', 'close');
      response.end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
    setInterval(() => process.send?.(count), 10);
  });
}

if (process.argv[2] === 'receiver') serve();
