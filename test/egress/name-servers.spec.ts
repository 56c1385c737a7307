import { Resolver } from 'node:dns/promises';
import { jest } from '@jest/globals';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { crowdOf } from '../support/crowd.js';
import { DnsServer, type NameAnswer } from '../support/dns-server.js';
import { ONLY_SPANS } from '../support/fake-clock.js';
import { FullServer } from '../support/full-server.js';
import { HeldTimers } from '../support/held-timers.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { patientResolver } from './patient-dns.js';

/** One server: its address, and the same as an IPv6 address. */
const FOUR: NameAnswer = { addresses: ['127.0.0.1'] };
const SIX: NameAnswer = { addresses: ['::ffff:127.0.0.1'] };
const NEVER: NameAnswer = { after: new Promise(() => undefined) };
const [FORMAT_ERROR, SERVER_FAILURE, NO_SUCH_NAME, NOT_IMPLEMENTED, REFUSED] = [1, 2, 3, 4, 5];
/** Milliseconds that IPv4 addresses wait for IPv6 ones. */
const FAMILY_AWAITED_MS = 50;
const MINUTE_MS = 60_000;
const NOT_PUBLIC = { name: 'EgressError', kind: 'forbidden_address' };

/** A promise that the test resolves. */
function heldBack() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve: () => resolve() };
}

describe('a host whose name server', () => {
  let dns: DnsServer;
  let server: LoopbackServer;
  let resolver: HostResolver;
  let client: EgressClient;
  let host: string;
  let hosts = 0;

  beforeAll(async () => {
    dns = await DnsServer.start();
    // Each request needs a connection of its own.
    server = await LoopbackServer.start((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('ok');
    });
  });
  afterAll(async () => {
    await server.stop();
    await dns.stop();
  });
  beforeEach(() => {
    const asking = new Resolver({ timeout: 100, tries: 2 });
    asking.setServers([dns.address]);
    use(new HostResolver(asking));
    hosts += 1;
    host = `host-${hosts}.example`;
  });
  afterEach(async () => {
    jest.useRealTimers();
    await leave();
  });

  function use(asking: HostResolver): void {
    resolver = asking;
    client = new EgressClient(new EgressGuard(['127.0.0.0/8'], asking));
  }
  async function leave(): Promise<void> {
    resolver.cancel();
    await client.onApplicationShutdown();
  }

  /** Lets the name server answer so. */
  function answers(four: NameAnswer, six: NameAnswer, name = host): void {
    dns.set(name, 4, four);
    dns.set(name, 6, six);
  }
  const get = async (port = server.port, timeoutMs = MINUTE_MS, by = client) =>
    (await by.request({ url: `http://${host}:${port}/`, timeoutMs, maxResponseBytes: 10 })).status;
  const asked = (family: 4 | 6) => dns.questions.filter((question) => question === `${family} ${host}`).length;

  const USELESS: readonly (readonly [string, NameAnswer])[] = [
    ['never answers', NEVER],
    ['fails', { code: SERVER_FAILURE }],
    ['refuses', { code: REFUSED }],
    ['does not understand the question', { code: FORMAT_ERROR }],
    ['does not implement it', { code: NOT_IMPLEMENTED }],
    ['knows nothing', {}],
    ['denies the name', { code: NO_SUCH_NAME }],
    ['answers what is no message', { bytes: Buffer.from('no message at all') }],
    ['hangs up over TCP', { isTruncated: true, code: SERVER_FAILURE }],
  ];

  describe.each(USELESS)('%s for one family', (_, useless) => {
    it.each([
      ['IPv6', FOUR, useless],
      ['IPv4', useless, SIX],
    ])('is reached by the other one: %s', async (__, four, six) => {
      answers(four, six);
      expect(await get()).toBe(200);
    });
  });

  it.each([
    ['answers both', FOUR, SIX],
    ['loses the first queries', { ...FOUR, dropped: 7 }, { ...SIX, dropped: 7 }],
    ['sends long answers over TCP', { ...FOUR, isTruncated: true }, { ...SIX, isTruncated: true }],
    ['gives it other names', { ...FOUR, aliases: ['one.example', 'two.example'] }, {}],
    ['is slow', { ...FOUR, after: new Promise((resolve) => setTimeout(resolve, 300)) }, {}],
  ])('%s is reached', async (_, four, six) => {
    answers(four, six);
    expect(await get()).toBe(200);
  });

  it.each([
    ['does not know it', {}, {}, 'has a host name that does not exist'],
    ['denies it', { code: NO_SUCH_NAME }, { code: NO_SUCH_NAME }, 'has a host name that does not exist'],
    ['fails', { code: SERVER_FAILURE }, { code: SERVER_FAILURE }, 'has a host name that could not be resolved'],
    ['fails for one family', { code: REFUSED }, {}, 'has a host name that could not be resolved'],
  ])('%s is reported', async (_, four, six, message) => {
    answers(four, six);
    await expect(get()).rejects.toMatchObject({ name: 'EgressError', kind: 'dns', message });
  });

  it('names more addresses than anybody has is not connected to', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `127.0.2.${index + 1}`);
    const message = 'has a host name with too many addresses';
    answers({ addresses: many, isTruncated: true }, {});
    await expect(get()).rejects.toMatchObject({ name: 'EgressError', kind: 'dns', message });
    answers({ addresses: ['127.0.0.1', ...many.slice(2)], isTruncated: true }, {});
    expect(await get()).toBe(200);
  });

  it('is silent counts as not resolved when the time is over', async () => {
    answers(NEVER, NEVER);
    const late = 'has a host name that could not be resolved within 1.5 s';
    await expect(get(server.port, 1500)).rejects.toMatchObject({ kind: 'timeout', message: late });
  });

  it('answers late is reached at the address that joins the others', async () => {
    const closed = await LoopbackServer.start(() => undefined, '127.0.0.8', server.port);
    await closed.stop();
    const held = heldBack();
    answers({ addresses: ['127.0.0.8'] }, { ...SIX, after: held.promise });
    const timers = HeldTimers.of(FAMILY_AWAITED_MS);
    try {
      const status = get();
      await until('IPv6 is waited for', () => timers.running > 0);
      timers.runOut();
      held.resolve();
      expect(await status).toBe(200);
    } finally {
      timers.letGo();
    }
  });

  describe('names a forbidden address', () => {
    let full: FullServer;
    beforeAll(async () => {
      full = await FullServer.start('127.0.0.7');
    });
    afterAll(() => full.stop());

    it.each([
      ['alone', { addresses: ['10.0.0.1'] }, NEVER],
      ['in the other family alone', NEVER, { addresses: ['fd00::1'] }],
      ['beside others', { addresses: ['127.0.0.1', '10.0.0.1'] }, NEVER],
      ['beside those of the other family', FOUR, { addresses: ['::1'] }],
    ])('%s is refused', async (_, four, six) => {
      answers(four, six);
      const before = server.connections;
      const timers = HeldTimers.of(FAMILY_AWAITED_MS);
      try {
        await expect(get()).rejects.toMatchObject(NOT_PUBLIC);
      } finally {
        timers.letGo();
      }
      expect(server.connections).toBe(before);
    });

    it('late is refused while it is not connected', async () => {
      const held = heldBack();
      answers({ addresses: ['127.0.0.7'] }, { addresses: ['fd00::1'], after: held.promise });
      const timers = HeldTimers.of(FAMILY_AWAITED_MS);
      try {
        const status = get(full.port);
        await until('IPv6 is waited for', () => timers.running > 0);
        timers.runOut();
        held.resolve();
        await expect(status).rejects.toMatchObject(NOT_PUBLIC);
      } finally {
        timers.letGo();
      }
    });

    it('later than the connection does not end the request', async () => {
      const held = heldBack();
      const slow = await LoopbackServer.start((_request, response) => {
        held.resolve();
        void until('the address has arrived', () => asked(6) > 0 && dns.sent.includes(`6 ${host}`)).then(() =>
          response.end('ok'),
        );
      });
      try {
        answers(FOUR, { addresses: ['fd00::1'], after: held.promise });
        expect(await get(slow.port)).toBe(200);
      } finally {
        await slow.stop();
      }
    });
  });

  describe('answers with a time to live', () => {
    // Each question is asked once, however long the process of the tests stands still.
    beforeEach(async () => {
      await leave();
      use(patientResolver(dns));
    });

    /** How often each family was asked for. */
    const questions = () => [asked(4), asked(6)];

    it('of 0 is asked for each connection', async () => {
      answers(FOUR, SIX);
      for (let request = 0; request < 3; request += 1) await get();
      expect(questions()).toEqual([3, 3]);
    });

    it('is not asked again in that time, and neither for the family that it does not know', async () => {
      answers({ ...FOUR, ttl: 20 }, {});
      jest.useFakeTimers(ONLY_SPANS);
      for (let request = 0; request < 3; request += 1) await get();
      expect(questions()).toEqual([1, 1]);
      jest.advanceTimersByTime(19_000);
      await get();
      expect(questions()).toEqual([1, 1]);
      jest.advanceTimersByTime(2_000);
      await get();
      expect(questions()).toEqual([2, 2]);
    });

    it('is asked again after a minute at the latest', async () => {
      answers({ ...FOUR, ttl: 86_400 }, { ...SIX, ttl: 86_400 });
      jest.useFakeTimers(ONLY_SPANS);
      await get();
      jest.advanceTimersByTime(MINUTE_MS + 1);
      await get();
      expect(questions()).toEqual([2, 2]);
    });

    it('is remembered for 10,000 names', async () => {
      jest.useFakeTimers(ONLY_SPANS);
      const names = Array.from({ length: 10_001 }, (_, index) => `many-${index}.${host}`);
      for (const name of names) answers({ ...FOUR, ttl: 60 }, {}, name);
      const resolve = (name: string) =>
        new Promise<void>((resolved) => {
          const stop = resolver.follow(name, ({ isComplete }) => {
            if (!isComplete) return;
            resolved();
            setImmediate(() => stop());
          });
        });
      await crowdOf(names, resolve);
      const before = dns.questions.length;
      await resolve(names[1] ?? '');
      expect(dns.questions.length).toBe(before);
      await resolve(names[0] ?? '');
      expect(dns.questions.length).toBeGreaterThan(before);
    });
  });

  it('was silent for one family is asked for that in the background only, for a minute', async () => {
    answers(FOUR, NEVER);
    jest.useFakeTimers(ONLY_SPANS);
    const timers = HeldTimers.of(FAMILY_AWAITED_MS);
    /** By a client that has not been there before, and so prefers no address. */
    const getAnew = async () => {
      const other = new EgressClient(new EgressGuard(['127.0.0.0/8'], resolver));
      return get(server.port, MINUTE_MS, other).finally(() => other.onApplicationShutdown());
    };
    try {
      const first = getAnew();
      await until('IPv6 is waited for', () => timers.running > 0);
      timers.runOut();
      expect(await first).toBe(200);
      await until('the question was given up', () => {
        let isAwaited = true;
        const stop = resolver.follow(host, ({ expected }) => {
          isAwaited = expected.includes(6);
        });
        stop();
        return !isAwaited;
      });
      const before = asked(6);
      expect(await getAnew()).toBe(200);
      await until('it was asked all the same', () => asked(6) > before);
      // What was asked in the background may be given up only now, which counts for another minute.
      for (let isAwaited = false; !isAwaited; ) {
        jest.advanceTimersByTime(MINUTE_MS + 1);
        let isOver = false;
        const next = getAnew().finally(() => {
          isOver = true;
        });
        while (!isOver && timers.running === 0) await new Promise((resolve) => setImmediate(resolve));
        isAwaited = !isOver;
        timers.runOut();
        expect(await next).toBe(200);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    } finally {
      timers.letGo();
    }
  });
});
