import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody else can take until it is released for the service itself to listen on. */
export interface ReservedPort {
  readonly port: number;
  release(): Promise<void>;
}

/**
 * Binds `port` (0: any free) at once, so that a taken port fails before anything is started, and the callback URL is
 * known before the service listens.
 */
export function reservePort(host: string, port: number): Promise<ReservedPort> {
  return new Promise((resolve, reject) => {
    // Callers that come too early are turned away; the network repeats what is not answered.
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const bound = (server.address() as AddressInfo).port;
      resolve({ port: bound, release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** The address under which this machine reaches a service that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere || host === 'localhost' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
