import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from './callbacks.js';

/** The values of a callback, as the network nests them. */
interface Envelope<Value> {
  readonly entry: readonly { readonly changes: readonly { readonly value: Value }[] }[];
}

/**
 * Serves the floor of a bench of callbacks in a process of its own: bare node:http that checks the signature, stores the
 * values and answers. Tells the parent process its port.
 */
export function serveCallbackFloor<Value>(store: (values: readonly Value[]) => Promise<unknown>): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      if (sign(body) !== request.headers['x-hub-signature-256']) {
        response.writeHead(401).end();
        return;
      }
      const { entry } = JSON.parse(body) as Envelope<Value>;
      await store(entry.flatMap(({ changes }) => changes.map(({ value }) => value)));
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
