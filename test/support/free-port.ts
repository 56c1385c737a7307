import { createServer } from 'node:net';

/** Below the ports that systems hand out by themselves, so nobody gets one of these by chance. */
const FIRST_PORT = 16_384;
const PORTS = 16_000;

// Runs and their workers begin at different places, and each goes round.
let next = Math.floor(Math.random() * PORTS);

/**
 * A TCP port of 127.0.0.1 on which nobody listens. Only a program that chooses the very same one of 16,000 could take
 * it before the caller does: who starts a server on it tries another when that one ends at once.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST_PORT} on is free`);
}

/** How many ports {@link onFreePort} tries. */
const MAX_TRIES = 3;

/** Starts a program on a free port, and on another one when it does not start: somebody may have taken the first. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
