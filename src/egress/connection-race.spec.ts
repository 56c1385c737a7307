import { EventEmitter } from 'node:events';
import type { connect, Socket } from 'node:net';
import { ConnectionRace } from './connection-race.js';
import { EgressError } from './egress-error.js';
import type { HostAddresses } from './host-resolver.js';

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
  let ended: Promise<{ error: unknown; address: string | null }>;
  let tell: (known: HostAddresses) => void;

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
          tell = onChange;
          onChange(found(addresses));
          return () => undefined;
        },
        secure: null,
        onEnd: (error, _socket, address) => resolve({ error, address }),
      });
    });
  }
  const found = (addresses: readonly string[], others: Partial<HostAddresses> = {}): HostAddresses => ({
    addresses: addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    expected: [],
    isComplete: true,
    fault: null,
    ...others,
  });
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

  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])(
    'does not blame the host whose other address could not be tried: %s',
    async (code) => {
      race(SIX, FOUR);
      fail(SIX, 'ECONNREFUSED');
      fail(FOUR, code);
      expect((await ended).error).toMatchObject({ code });
    },
  );

  it('ends with the forbidden address that arrives after others were refused', async () => {
    race(FOUR, '192.0.2.2');
    fail(FOUR, 'ECONNREFUSED');
    const fault = new EgressError('forbidden_address', 'leads to an address that is not public');
    tell(found([FOUR, '192.0.2.2'], { fault }));
    expect((await ended).error).toBe(fault);
  });

  it('tells the address that worked, unless the host has no other', async () => {
    race(FOUR);
    sockets.get(FOUR)?.emit('connect');
    expect(await ended).toEqual({ error: null, address: null });
  });

  it('tells the address that worked while others are still asked for', async () => {
    race();
    tell(found([FOUR], { isComplete: false }));
    sockets.get(FOUR)?.emit('connect');
    expect(await ended).toEqual({ error: null, address: FOUR });
  });
});
