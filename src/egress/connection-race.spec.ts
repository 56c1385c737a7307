import { EventEmitter } from 'node:events';
import type { connect, Socket } from 'node:net';
import { ConnectionRace } from './connection-race.js';

const [SIX, FOUR] = ['2001:db8::1', '192.0.2.1'];

/** A socket that fails or connects as the test says. */
class FakeSocket extends EventEmitter {
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
  }
}

/** Faults of this machine cannot be brought about in a test. */
describe('a race for a connection', () => {
  let sockets: Map<string, FakeSocket>;
  let ended: Promise<{ error: unknown; address: string }>;

  beforeEach(() => {
    sockets = new Map();
  });

  function race(...addresses: string[]): void {
    const open = ({ host }: { readonly host: string }): Socket => {
      const socket = new FakeSocket();
      sockets.set(host, socket);
      return socket as unknown as Socket;
    };
    ended = new Promise((resolve) => {
      new ConnectionRace({
        port: 443,
        preferred: undefined,
        connect: open as unknown as typeof connect,
        follow: (onChange) => {
          const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
          onChange({ addresses: found, expected: [], isComplete: true, fault: null });
          return () => undefined;
        },
        secure: null,
        onEnd: (error, _socket, address) => resolve({ error, address }),
      });
    });
  }
  const fail = (address: string, code: string) =>
    sockets.get(address)?.emit('error', Object.assign(new Error(`connect ${code}`), { code }));

  it('goes on where this machine has no IPv6', async () => {
    race(SIX, FOUR);
    fail(SIX, 'EADDRNOTAVAIL');
    sockets.get(FOUR)?.emit('connect');
    expect(await ended).toEqual({ error: null, address: FOUR });
  });

  it('says that a host with IPv6 alone cannot be reached without', async () => {
    race(SIX);
    fail(SIX, 'EADDRNOTAVAIL');
    expect((await ended).error).toMatchObject({
      name: 'EgressError',
      kind: 'connect',
      message: 'could not be reached',
    });
  });

  it('goes on after a fault of this machine', async () => {
    race(SIX, FOUR);
    fail(SIX, 'EMFILE');
    sockets.get(FOUR)?.emit('connect');
    expect(await ended).toEqual({ error: null, address: FOUR });
  });

  it('ends with a fault of this machine where there is no other', async () => {
    race(SIX, FOUR);
    fail(SIX, 'EMFILE');
    fail(FOUR, 'EADDRNOTAVAIL');
    expect((await ended).error).toMatchObject({ code: 'EMFILE' });
  });

  it('ends with the failure of the host beside a fault of this machine', async () => {
    race(SIX, FOUR);
    fail(SIX, 'EMFILE');
    fail(FOUR, 'ECONNREFUSED');
    expect((await ended).error).toMatchObject({ kind: 'connect', message: 'refused the connection' });
  });
});
