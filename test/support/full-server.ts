import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { until } from './until.js';

/** Listens, and stands still. */
const STANDING = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: workerData.port, host: workerData.host, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;
/** Milliseconds in which a connection to loopback would have been accepted. */
const ACCEPTED_IN_MS = 1000;

/** An address where nobody ever accepts a connection or refuses one, because the queue of the server is full. */
export class FullServer {
  private constructor(
    private readonly worker: Worker,
    private readonly waiting: readonly Socket[],
    readonly port: number,
  ) {}

  /** @param port any one by default */
  static async start(host: string, port = 0): Promise<FullServer> {
    const worker = new Worker(STANDING, { eval: true, workerData: { host, port } });
    const [listening] = (await once(worker, 'message')) as [number];
    const waiting: Socket[] = [];
    await until('the queue is full', async () => {
      const socket = connect({ host, port: listening });
      socket.on('error', () => undefined);
      waiting.push(socket);
      const late = new Promise((resolve) => setTimeout(resolve, ACCEPTED_IN_MS, true));
      return Promise.race([once(socket, 'connect').then(() => false), late]);
    });
    return new FullServer(worker, waiting, listening);
  }

  async stop(): Promise<void> {
    for (const socket of this.waiting) socket.destroy();
    await this.worker.terminate();
  }
}
