import type { FastifyInstance } from 'fastify';
import { loadEnvironment } from '../../src/config/environment.js';
import { createFastifyAdapter } from '../../src/http/fastify-server.js';
import { createLogger } from '../../src/logging/logger.js';
import { MANIFEST } from '../../src/rooms.js';
import { Metrics } from '../../src/runtime/metrics.js';
import { Shutdown } from '../../src/runtime/shutdown.js';

const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  NETWORK_APP_ID: '1',
  NETWORK_APP_SECRET: 'secret',
  NETWORK_VERIFY_TOKEN: 'token',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('a caller’s address behind proxies', () => {
  const servers: FastifyInstance[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  /** A server that answers with the caller's address as it sees it. */
  const serve = async (TRUST_PROXY: string): Promise<string> => {
    const environment = loadEnvironment(MANIFEST, { ...REQUIRED, TRUST_PROXY });
    const server = createFastifyAdapter(
      createLogger('silent'),
      environment,
      new Shutdown(),
      new Metrics(),
    ).getInstance<FastifyInstance>();
    server.get('/', (request, reply) => reply.send(request.ip));
    server.get('/warnings', (_request, reply) => reply.send(server.undeclaredProxy.warnings));
    servers.push(server);
    return server.listen({ host: '127.0.0.1', port: 0 });
  };
  const seenBy = async (url: string, ...forwardedFor: string[]): Promise<string> => {
    const headers = new Headers();
    for (const value of forwardedFor) headers.append('x-forwarded-for', value);
    return (await fetch(url, { headers })).text();
  };

  // Our nearest proxy adds the rightmost entry; entries left of the proxies' own may be forged.
  it.each([
    ['false', ['203.0.113.5'], '127.0.0.1'],
    ['true', [], '127.0.0.1'],
    ['true', ['203.0.113.5'], '203.0.113.5'],
    ['true', ['6.6.6.6, 203.0.113.5'], '203.0.113.5'],
    ['1', ['6.6.6.6, 7.7.7.7, 203.0.113.5'], '203.0.113.5'],
    ['1', ['6.6.6.6', '203.0.113.5'], '203.0.113.5'],
    ['2', ['6.6.6.6, 203.0.113.5, 10.0.0.9'], '203.0.113.5'],
    ['2', ['203.0.113.5'], '203.0.113.5'],
    ['2', [], '127.0.0.1'],
    ['127.0.0.1', ['6.6.6.6, 203.0.113.5'], '203.0.113.5'],
    ['127.0.0.0/8,10.0.0.0/8', ['6.6.6.6, 203.0.113.5, 10.0.0.9'], '203.0.113.5'],
    ['127.0.0.0/8,10.0.0.0/8', ['10.6.6.6, 203.0.113.5, 10.0.0.9'], '203.0.113.5'],
    ['127.0.0.0/8,10.0.0.0/8', ['6.6.6.6, not an address, 10.0.0.9'], 'not an address'],
    ['127.0.0.0/8,2001:db8:1::/48', ['6.6.6.6, 2001:db8:2::7, 2001:db8:1::9'], '2001:db8:2::7'],
    ['127.0.0.0/8,10.0.0.0/8', ['6.6.6.6, 203.0.113.5, ::ffff:10.0.0.9'], '203.0.113.5'],
    // The caller is not one of the proxies, so its header is ignored.
    ['10.0.0.0/8', ['6.6.6.6, 10.0.0.9'], '127.0.0.1'],
  ])('with TRUST_PROXY=%s and X-Forwarded-For %j is %s', async (trustProxy, forwardedFor, expected) => {
    expect(await seenBy(await serve(trustProxy), ...forwardedFor)).toBe(expected);
  });

  it.each([
    ['false', 'x-forwarded-for', true],
    ['false', 'forwarded', true],
    ['false', 'x-request-id', false],
    ['1', 'x-forwarded-for', false],
    ['127.0.0.0/8', 'x-forwarded-for', false],
    ['10.0.0.0/8', 'x-forwarded-for', true],
  ])('with TRUST_PROXY=%s, a request with %s is one of an undeclared proxy: %s', async (trustProxy, name, expected) => {
    const url = await serve(trustProxy);
    const warnings = async () => (await (await fetch(`${url}/warnings`)).json()) as string[];
    expect(await warnings()).toEqual([]);
    await fetch(url, { headers: { [name]: 'for=203.0.113.5' } });
    expect(await warnings()).toEqual(expected ? [expect.stringContaining('TRUST_PROXY does not declare')] : []);
  });
});
