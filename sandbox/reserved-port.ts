import { type AddressInfo, createServer } from 'node:net';

/** A bound port that no other process can take; released so that the service can listen on it. */
export interface ReservedPort {
  readonly port: number;
  release(): Promise<void>;
}

/**
 * Binds `port` (0: any free one) early: a port in use fails before anything is started, and the callback URL is known
 * before the service listens.
 */
export function reservePort(host: string, port: number): Promise<ReservedPort> {
  return new Promise((resolve, reject) => {
    // Drop early connections; the network retries its callbacks.
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const bound = (server.address() as AddressInfo).port;
      resolve({ port: bound, release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** The URL at which this machine reaches a service listening on `host`. */
export function localUrl(host: string, port: number): string {
  const anyAddress = host === '0.0.0.0' || host === '::' || host === '';
  const name = anyAddress || host === 'localhost' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
