import type { ServerResponse } from 'node:http';
import { EgressClient } from '../../src/egress/egress-client.js';
import type { EgressFailure } from '../../src/egress/egress-error.js';
import { EgressGuard, type EgressPolicy } from '../../src/egress/egress-guard.js';
import { DnsServer } from '../support/dns-server.js';
import { HeldTimers } from '../support/held-timers.js';
import { Canary, LoopbackServer } from '../support/loopback-server.js';
import { patientResolver } from './patient-dns.js';

const PUBLIC = '93.184.216.34';
const NOT_PUBLIC = 'leads to an address that is not public';
/** How long {@link EgressGuard.vet} waits for DNS, milliseconds. */
const VET_MS = 1000;

let dns: DnsServer;
let canary: Canary;
let clients: EgressClient[];
let guards: EgressGuard[];

beforeAll(async () => {
  dns = await DnsServer.start();
  canary = await Canary.start();
});
afterAll(async () => {
  await canary.stop();
  await dns.stop();
});
beforeEach(() => {
  clients = [];
  guards = [];
  canary.seen = 0;
});
afterEach(async () => {
  for (const guard of guards) guard.onApplicationShutdown();
  await Promise.all(clients.map((client) => client.onApplicationShutdown()));
});

function guardWith(...allow: string[]): EgressGuard {
  const guard = new EgressGuard(allow, patientResolver(dns));
  guards.push(guard);
  return guard;
}

function clientWith(...allow: string[]): EgressClient {
  const client = new EgressClient(guardWith(...allow));
  clients.push(client);
  return client;
}

/** The outcome of {@link EgressGuard.vet} once DNS has answered, however long that takes. */
async function vet(guard: EgressGuard, url: string, policy: EgressPolicy = {}): Promise<URL> {
  const timers = HeldTimers.of(VET_MS);
  try {
    return await guard.vet(url, policy);
  } finally {
    timers.letGo();
  }
}

const get = (client: EgressClient, url: string, redirects = 0, httpsOnly = false) =>
  client.request({ url, redirects, httpsOnly, timeoutMs: 60_000, maxResponseBytes: 1024 });

const failure = (kind: EgressFailure, message: unknown = expect.any(String)) =>
  expect.objectContaining({ name: 'EgressError', kind, message });

describe('a URL with a literal address', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ])('is rejected when the address is not public: %s', async (host) => {
    const url = `http://${host}:${canary.port}/`;
    await expect(get(clientWith(), url)).rejects.toEqual(failure('forbidden_address', NOT_PUBLIC));
    await expect(get(clientWith('10.9.0.0/16'), url)).rejects.toEqual(failure('forbidden_address', NOT_PUBLIC));
    expect(canary.seen).toBe(0);
  });

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'http://user:pw@example.com/', 'nonsense'])(
    'is refused when it is no plain http(s) URL: %s',
    async (url) => {
      await expect(get(clientWith('127.0.0.0/8'), url)).rejects.toEqual(failure('bad_url'));
    },
  );

  it.each([22, 25, 3306, 5432, 6379, 9200, 11211])('is rejected on port %i of a public address', async (port) => {
    const refusal = failure('forbidden_port', `must not use port ${port}`);
    await expect(get(clientWith(), `http://${PUBLIC}:${port}/`)).rejects.toEqual(refusal);
    await expect(get(clientWith(), `http://example.com:${port}/`)).rejects.toEqual(refusal);
  });
});

describe('a URL with a name', () => {
  it.each([
    ['one private address', ['127.0.0.1']],
    ['a private address behind a public one', [PUBLIC, '127.0.0.1']],
    ['a private address before a public one', ['10.0.0.7', PUBLIC]],
    ['a private IPv6 address beside a public IPv4 address', [PUBLIC, '::1']],
    ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1']],
    ['a NAT64 loopback address', ['64:ff9b::7f00:1']],
    ['a metadata address', ['169.254.169.254']],
    ['the unspecified address', ['0.0.0.0']],
  ])('is refused when it leads to %s', async (_what, addresses) => {
    dns.resolve('names.example', addresses);
    const url = `http://names.example:${canary.port}/`;
    await expect(get(clientWith(), url)).rejects.toEqual(failure('forbidden_address', NOT_PUBLIC));
    await expect(vet(guardWith(), url)).rejects.toEqual(failure('forbidden_address', NOT_PUBLIC));
    expect(canary.seen).toBe(0);
  });

  it('is refused at the connection when the name was public while it was checked (rebinding)', async () => {
    dns.resolve('rebinds.example', [PUBLIC], ['127.0.0.1']);
    const url = `http://rebinds.example:${canary.port}/`;
    await expect(vet(guardWith(), url)).resolves.toBeInstanceOf(URL);
    await expect(get(clientWith(), url)).rejects.toEqual(failure('forbidden_address'));
    expect(canary.seen).toBe(0);
  });

  it('is connected to exactly the address that was checked', async () => {
    const checked = await LoopbackServer.start((_request, response) => response.end('checked'), '127.0.0.2');
    const other = await LoopbackServer.start((_request, response) => response.end('other'), '127.0.0.3', checked.port);
    try {
      dns.resolve('turns.example', ['127.0.0.2'], ['127.0.0.3']);
      const { body } = await get(clientWith('127.0.0.2/32'), `http://turns.example:${checked.port}/`);
      expect(body.toString()).toBe('checked');
      expect(dns.queried.filter((name) => name === 'turns.example')).toHaveLength(1);
      expect(other.connections).toBe(0);
    } finally {
      await checked.stop();
      await other.stop();
    }
  });

  it('is rejected with a clear message when the name does not exist', async () => {
    const refusal = failure('dns', 'has a host name that does not exist');
    await expect(get(clientWith(), 'http://unknown.example/')).rejects.toEqual(refusal);
  });

  it('times out when the DNS server is silent, but can be saved', async () => {
    // The resolver waits longer for it than this test may take.
    dns.ignore('silent.example');
    const request = { url: 'https://silent.example/', timeoutMs: 300, maxResponseBytes: 10 };
    const late = failure('timeout', 'has a host name that could not be resolved within 0.3 s');
    await expect(clientWith().request(request)).rejects.toEqual(late);
    await expect(guardWith().vet('https://silent.example/', { httpsOnly: true })).resolves.toBeInstanceOf(URL);
  });
});

describe('EGRESS_ALLOW', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await LoopbackServer.start((_request, response) => response.end('hello'));
  });
  afterAll(() => server.stop());

  it.each(['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]', 'allowed.example'])(
    'allows its addresses on any port: %s',
    async (host) => {
      dns.resolve('allowed.example', ['127.0.0.1']);
      const { status, body } = await get(clientWith('127.0.0.0/8'), `http://${host}:${server.port}/`);
      expect({ status, body: body.toString() }).toEqual({ status: 200, body: 'hello' });
    },
  );

  it('opens nothing beside its addresses', async () => {
    dns.resolve('mixed.example', ['127.0.0.1', '10.0.0.1']);
    const client = clientWith('127.0.0.1');
    for (const host of ['127.0.0.2', '10.0.0.1', 'mixed.example', '[64:ff9b::127.0.0.1]']) {
      await expect(get(client, `http://${host}:${canary.port}/`)).rejects.toEqual(failure('forbidden_address'));
    }
    expect(canary.seen).toBe(0);
  });

  it('opens http where https is demanded', async () => {
    dns.resolve('allowed.example', ['127.0.0.1']);
    dns.resolve('public.example', [PUBLIC]);
    const guard = guardWith('127.0.0.0/8');
    for (const host of ['127.0.0.1', 'localhost', 'allowed.example']) {
      const url = `http://${host}:${server.port}/`;
      await expect(vet(guard, url, { httpsOnly: true })).resolves.toBeInstanceOf(URL);
      await expect(get(clientWith('127.0.0.0/8'), url, 0, true)).resolves.toMatchObject({ status: 200 });
    }
    for (const host of [PUBLIC, 'public.example', 'unknown.example']) {
      const refusal = failure('bad_url', 'must start with https://');
      await expect(vet(guard, `http://${host}/`, { httpsOnly: true })).rejects.toEqual(refusal);
    }
    await expect(get(clientWith('127.0.0.0/8'), 'http://public.example/', 0, true)).rejects.toEqual(
      failure('forbidden_port', 'must use https and a port that web servers use'),
    );
    await expect(vet(guard, 'https://public.example/', { httpsOnly: true })).resolves.toBeInstanceOf(URL);
  });
});

describe('redirects', () => {
  let server: LoopbackServer;
  const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end('moved');

  beforeAll(async () => {
    server = await LoopbackServer.start((request, response) => {
      const url = new URL(request.url ?? '/', 'http://host');
      const to = url.searchParams.get('to');
      const left = Number(url.searchParams.get('left'));
      if (url.pathname === '/circle') redirect(response, '/circle');
      else if (to !== null) redirect(response, to);
      else if (left > 0) redirect(response, `/?left=${left - 1}`);
      else response.end('arrived');
    });
  });
  afterAll(() => server.stop());

  const via = (location: string) => server.url(`/?to=${encodeURIComponent(location)}`);

  it('are followed 3 times but not a fourth time', async () => {
    const client = clientWith('127.0.0.0/8');
    expect((await get(client, server.url('/?left=3'), 3)).body.toString()).toBe('arrived');
    const refusal = failure('too_many_redirects', 'redirects more than 3 times');
    await expect(get(client, server.url('/?left=4'), 3)).rejects.toEqual(refusal);
    await expect(client.download({ url: server.url('/?left=4'), redirects: 3, timeoutMs: 60_000, maxBytes: 9 }))
      .rejects //
      .toEqual(refusal);
  });

  it('in a loop end', async () => {
    await expect(get(clientWith('127.0.0.1'), server.url('/circle'), 3)).rejects.toEqual(failure('too_many_redirects'));
  });

  it.each([
    ['a private address', () => `http://127.0.0.9:${canary.port}/`],
    ['a private name', () => `http://private.example:${canary.port}/`],
    ['metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a decimal address', () => `http://2130706441:${canary.port}/`],
    ['a relative host', () => `//127.0.0.9:${canary.port}/`],
  ])('to %s are refused without naming it', async (_what, location) => {
    dns.resolve('private.example', ['127.0.0.9']);
    const refusal = failure('forbidden_address', `redirects to a URL that ${NOT_PUBLIC}`);
    await expect(get(clientWith('127.0.0.1'), via(location()), 3)).rejects.toEqual(refusal);
    expect(canary.seen).toBe(0);
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'http://user:pw@example.com/', 'http://', 'javascript:1'])(
    'to %s are refused',
    async (location) => {
      await expect(get(clientWith('127.0.0.1'), via(location), 3)).rejects.toEqual(failure('bad_url'));
    },
  );

  it('are returned unfollowed when disabled, and for POST', async () => {
    const client = clientWith('127.0.0.1');
    expect((await get(client, via('http://10.0.0.1/'))).status).toBe(302);
    const post = {
      url: via('/'),
      method: 'POST',
      body: '{}',
      redirects: 3,
      timeoutMs: 60_000,
      maxResponseBytes: 9,
    } as const;
    expect((await client.request(post)).status).toBe(302);
  });
});
