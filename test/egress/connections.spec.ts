import { jest } from '@jest/globals';
import { EgressClient, type EgressClientOptions } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { DnsServer } from '../support/dns-server.js';
import { ONLY_SPANS } from '../support/fake-clock.js';
import { FullServer } from '../support/full-server.js';
import { HeldTimers } from '../support/held-timers.js';
import { eventually, until } from '../support/until.js';
import { AddressServer, answerOk, certificate, OK, overTls, type Serve } from './address-server.js';
import { patientResolver } from './patient-dns.js';

/** Milliseconds that one family waits for the other, and before the next address is tried. */
const [FAMILY_AWAITED_MS, NEXT_ADDRESS_AFTER_MS] = [50, 250];
const MINUTE_MS = 60_000;
const mapped = (address: string) => `::ffff:${address}`;
const silent: Serve = (socket) => void socket.resume();
const says =
  (text: string): Serve =>
  (socket) =>
    void socket.resume().write(text);
const hangUp: Serve = (socket) => void socket.once('data', () => socket.resetAndDestroy());
const ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 40]);
const OLD_TLS = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
/** Its key is of another kind. */
const RSA_ONLY = { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' } as const;
const MUTUAL = { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' } as const;
const PART_OF_A_RECORD = Buffer.from([22, 3, 3, 64, 0, 2]);

describe('a connection to a customer’s host', () => {
  let dns: DnsServer;
  let servers: AddressServer;
  let clients: EgressClient[];
  let host: string;
  let hosts = 0;

  beforeAll(async () => {
    dns = await DnsServer.start();
  });
  afterAll(() => dns.stop());
  beforeEach(() => {
    servers = new AddressServer();
    clients = [];
    hosts += 1;
    host = `host-${hosts}.parley.example`;
  });
  afterEach(async () => {
    jest.useRealTimers();
    await Promise.all(clients.map((client) => client.onApplicationShutdown()));
    await servers.close();
  });

  function makeClient(options?: EgressClientOptions): EgressClient {
    const client = new EgressClient(new EgressGuard(['127.0.0.0/8'], patientResolver(dns)), options);
    clients.push(client);
    return client;
  }
  const resolve = (...addresses: string[]) => dns.resolve(host, addresses);
  const get = async (client: EgressClient, protocol = 'http', timeoutMs = MINUTE_MS) => {
    const url = `${protocol}://${host}:${servers.port}/`;
    return (await client.request({ url, timeoutMs, maxResponseBytes: 10 })).status;
  };

  describe('with several addresses', () => {
    // However long the process of the tests stands still, none is tried too early.
    let held: HeldTimers;
    let family: HeldTimers;
    beforeEach(() => {
      held = HeldTimers.of(NEXT_ADDRESS_AFTER_MS);
      family = HeldTimers.of(FAMILY_AWAITED_MS);
    });
    afterEach(() => {
      family.letGo();
      held.letGo();
    });

    it('takes families in turn, IPv6 first', async () => {
      const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
      await servers.listen(Object.fromEntries(addresses.map((address) => [address, hangUp])));
      resolve('127.0.0.4', '127.0.0.5', mapped('127.0.0.2'), mapped('127.0.0.3'));
      await expect(get(makeClient(), 'https')).rejects.toMatchObject({ kind: 'tls' });
      expect(servers.connected).toEqual(['127.0.0.2', '127.0.0.4', '127.0.0.3', '127.0.0.5']);
    });

    it('tries eight of each family', async () => {
      const addresses = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`);
      await servers.listen(Object.fromEntries(addresses.map((address) => [address, hangUp])));
      resolve(...addresses, ...addresses.map(mapped));
      await expect(get(makeClient(), 'https')).rejects.toMatchObject({ kind: 'tls' });
      expect(servers.connected).toHaveLength(16);
    });

    it('is made to the next one at once when one refuses it', async () => {
      await servers.listen({ '127.0.0.2': answerOk });
      resolve(mapped('127.0.0.3'), mapped('127.0.0.4'), '127.0.0.5', '127.0.0.2');
      expect(await get(makeClient())).toBe(200);
    });

    it('is made to the next one beside a silent one, and to that first for ten minutes', async () => {
      await servers.listen({ '127.0.0.2': answerOk });
      const full = await FullServer.start('127.0.0.7', servers.port);
      jest.useFakeTimers(ONLY_SPANS);
      const client = makeClient();
      const afterAWait = async () => {
        const status = get(client);
        await until('the first address is waited for', () => held.running > 0);
        held.runOut();
        return status;
      };
      try {
        resolve(mapped('127.0.0.7'), '127.0.0.2');
        expect(await afterAWait()).toBe(200);
        for (let minutes = 0; minutes < 9; minutes += 3) {
          expect(await get(client)).toBe(200);
          jest.advanceTimersByTime(3 * MINUTE_MS);
        }
        jest.advanceTimersByTime(11 * MINUTE_MS);
        expect(await afterAWait()).toBe(200);
      } finally {
        await full.stop();
      }
    });

    it('goes on where the one that worked no longer does', async () => {
      await servers.listen({ '127.0.0.2': answerOk });
      const client = makeClient();
      resolve(mapped('127.0.0.3'), '127.0.0.2');
      expect(await get(client)).toBe(200);
      const { port } = servers;
      await servers.close();
      servers = new AddressServer();
      servers.port = port;
      await servers.listen({ '127.0.0.3': answerOk });
      expect(await get(client)).toBe(200);
    });
  });

  const TLS_FAULTS: readonly (readonly [string, Serve, string])[] = [
    ['has an expired certificate', overTls(answerOk, certificate('expired')), 'CERT_HAS_EXPIRED'],
    ['has a certificate of its own', overTls(answerOk, certificate('self-signed')), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['has that of another host', overTls(answerOk, certificate('elsewhere')), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['speaks HTTP', says(OK), 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ['speaks SSH', says('SSH-2.0-OpenSSH_9.6\r\n'), 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [
      'speaks an old version',
      overTls(answerOk, { ...certificate('trusted'), ...OLD_TLS }),
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    ],
    [
      'has no common cipher',
      overTls(answerOk, { ...certificate('trusted'), ...RSA_ONLY }),
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    ],
    [
      'sends an alert',
      (socket) => void socket.once('data', () => socket.end(ALERT)),
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    ],
    ['hangs up at once', (socket) => void socket.resetAndDestroy(), 'closed'],
    ['ends at once', (socket) => void socket.resume().end(), 'closed'],
    ['hangs up when it is greeted', hangUp, 'closed'],
    ['ends within a record', (socket) => void socket.once('data', () => socket.end(PART_OF_A_RECORD)), 'closed'],
    ['has a certificate for clients', overTls(answerOk, certificate('client')), 'INVALID_PURPOSE'],
    ['wants a certificate', overTls(answerOk, { ...certificate('trusted'), ...MUTUAL }), ''],
  ];

  describe.each(TLS_FAULTS)('whose server %s', (_, serve, reason) => {
    const message =
      reason === 'closed'
        ? 'closed the connection during the TLS handshake'
        : expect.stringContaining(`the TLS handshake (${reason}`);

    it('fails with that reason', async () => {
      await servers.listen({ '127.0.0.2': serve });
      resolve('127.0.0.2');
      await expect(get(makeClient(), 'https')).rejects.toMatchObject({ name: 'EgressError', kind: 'tls', message });
      await until('it is closed', () => servers.open === 0);
    });

    it('is made to the next address, and to that first from then on', async () => {
      await servers.listen({ '127.0.0.2': serve, '127.0.0.3': overTls() });
      resolve('127.0.0.2', '127.0.0.3');
      const client = makeClient();
      const held = HeldTimers.of(NEXT_ADDRESS_AFTER_MS);
      try {
        expect([await get(client, 'https'), await get(client, 'https')]).toEqual([200, 200]);
      } finally {
        held.letGo();
      }
      expect(servers.connected).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.3']);
    });
  });

  it('fails with the reason of the address where it came farthest', async () => {
    await servers.listen({ '127.0.0.2': hangUp });
    const message = 'closed the connection during the TLS handshake';
    resolve(mapped('127.0.0.3'), '127.0.0.2', '127.0.0.4');
    await expect(get(makeClient(), 'https')).rejects.toMatchObject({ kind: 'tls', message });
  });

  it('fails when a certificate is asked for after the handshake', async () => {
    await servers.listen({
      '127.0.0.2': overTls(silent, { ...certificate('trusted'), ...MUTUAL, maxVersion: 'TLSv1.3' }),
    });
    resolve('127.0.0.2');
    await expect(get(makeClient(), 'https')).rejects.toMatchObject({ kind: expect.stringMatching(/^(tls|reset)$/) });
  });

  describe('that uses up the time of its request', () => {
    const LIMIT_MS = 500;
    /** On a busy machine, an earlier stage may use it up. */
    const expectLate = (protocol: string, message: string) =>
      eventually(async () => {
        const timeout = { name: 'EgressError', kind: 'timeout', message };
        await expect(get(makeClient(), protocol, LIMIT_MS)).rejects.toMatchObject(timeout);
      });

    it('was not accepted', async () => {
      const full = await FullServer.start('127.0.0.7');
      servers.port = full.port;
      resolve('127.0.0.7');
      try {
        await expectLate('http', 'did not accept a connection within 0.5 s');
        await expectLate('https', 'did not accept a connection within 0.5 s');
      } finally {
        await full.stop();
      }
    });

    it('has not finished its handshake', async () => {
      await servers.listen({ '127.0.0.2': silent });
      resolve('127.0.0.2');
      await expectLate('https', 'did not finish the TLS handshake within 0.5 s');
      await until('it is closed', () => servers.open === 0);
    });

    it('has no answer', async () => {
      await servers.listen({ '127.0.0.2': overTls(silent) });
      resolve('127.0.0.2');
      await expectLate('https', 'did not answer within 0.5 s');
      await until('it is closed', () => servers.open === 0);
    });
  });

  it('is not opened for a request whose time was over before its turn', async () => {
    const answers: (() => void)[] = [];
    await servers.listen({
      '127.0.0.2': (socket) => void socket.once('data', () => answers.push(() => socket.end(OK))),
    });
    resolve('127.0.0.2');
    const client = makeClient({ connectionsPerOrigin: 1 });
    const first = get(client);
    await until('it is asked', () => answers.length === 1);
    const message = 'could not be asked beside other requests to the same host within 0.1 s';
    await expect(get(client, 'http', 100)).rejects.toMatchObject({ kind: 'timeout', message });
    answers[0]?.();
    expect(await first).toBe(200);
    const next = get(client);
    await until('the next one is asked', () => answers.length === 2);
    answers[1]?.();
    expect(await next).toBe(200);
    expect(servers.connected).toHaveLength(2);
  });

  it('is not opened again for a request that was given up', async () => {
    await servers.listen({
      '127.0.0.2': (socket) => (servers.connected.length === 1 ? silent(socket) : answerOk(socket)),
    });
    resolve('127.0.0.2');
    const client = makeClient();
    await eventually(async () => {
      const message = 'did not answer within 0.5 s';
      servers.connected.length = 0;
      await expect(get(client, 'http', 500)).rejects.toMatchObject({ kind: 'timeout', message });
    });
    dns.questions.length = 0;
    expect(await get(client)).toBe(200);
    expect(dns.questions).toHaveLength(2);
  });

  it('is given up when the service stops', async () => {
    await servers.listen({ '127.0.0.2': silent });
    resolve('127.0.0.2');
    const client = makeClient();
    const status = get(client, 'https').catch(() => 'none');
    await until('it is connected', () => servers.open === 1);
    await client.onApplicationShutdown();
    expect(await status).toBe('none');
    await until('it is closed', () => servers.open === 0);
  });
});
