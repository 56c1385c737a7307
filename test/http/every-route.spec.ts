import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { withExtensions } from '../support/extension-records.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';
import { type DescribedRoute, pathOf, routesOf } from './routes.js';

/** The routes that need no key, with the reason. Every other route must refuse callers without one. */
const PUBLIC = withExtensions('publicRoutes', {
  'GET /health/live': 'load balancers have no key',
  'GET /health/ready': 'load balancers have no key',
  'GET /network/callbacks': 'the network sends the verify token instead',
  'GET /network/callbacks/:app_id': 'the network sends the verify token instead',
  'POST /api/v1/session': 'whoever signs in has neither a key nor a session yet',
  'POST /network/callbacks': 'the network signs its callbacks',
  'POST /network/callbacks/:app_id': 'the network signs its callbacks',
});

/** Requests that change nothing although they are POSTs, so that a read scope is enough. */
const READING_POSTS = withExtensions('readingPosts', {
  'POST /api/v1/templates/preview': 'the values of variables do not fit into a query',
});
/** Passes the guard for suspended accounts; the service refuses them itself, with a 400. */
const REFUSES_SUSPENDED_ITSELF = 'POST /api/v1/campaigns/:campaign_id/send';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

let world: World;
let routes: DescribedRoute[];
let keyed: (DescribedRoute & { readonly needs: readonly string[] })[];

beforeAll(async () => {
  // Each request comes from an address of its own, because failed authentications are limited per address.
  world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: '1' } });
  routes = routesOf(world);
  keyed = routes.flatMap((route) =>
    route.access.kind === 'scope' ? [{ ...route, needs: [route.access.scope, ...route.access.also] }] : [],
  );
});
afterAll(() => world.stop());

let addresses = 0;
const call = (api: ApiClient, route: DescribedRoute, path = pathOf(route)) => {
  addresses += 1;
  const raw = route.method === 'GET' ? undefined : '{}';
  const headers = { 'x-forwarded-for': `10.1.${addresses >> 8}.${addresses & 255}` };
  return api.request<Record<string, unknown>>(route.method, path, undefined, {
    headers: raw === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(raw === undefined ? {} : { raw }),
  });
};

describe('every route', () => {
  it('is one of the known public ones, about the session of a person, or requires a scope', () => {
    expect(keyed.length).toBeGreaterThan(50);
    const ofPeople = routes.filter(({ access }) => access.kind === 'session').map(({ path }) => path);
    expect(ofPeople.filter((path) => !/^\/api\/v1\/(?:sessions?(?:$|\/)|stream$)/.test(path))).toEqual([]);
    const open = routes.filter(({ access }) => access.kind === 'public').map(({ key }) => key);
    expect(open.sort()).toEqual(Object.keys(PUBLIC).sort());
  });

  it('requires a read scope if it only reads, and a write scope if it does not', () => {
    for (const { key, method, needs } of keyed) {
      const [own, ...also] = needs;
      const reads = method === 'GET' || key in READING_POSTS;
      expect([key, own]).toEqual([key, expect.stringMatching(reads ? /:read$/ : /:write$/)]);
      expect([key, also.filter((scope) => !scope.endsWith(':read'))]).toEqual([key, []]);
    }
  });

  it('requires a key (401)', async () => {
    for (const route of keyed) {
      for (const key of [null, 'pk_live_abcdefghijkl_abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq']) {
        const { status, headers, body } = await call(new ApiClient(world.baseUrl, key), route);
        expect([route.key, status, body]).toEqual([
          route.key,
          401,
          { error: 'unauthorized', message: expect.any(String) },
        ]);
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('is refused to a key with every scope but its own, by name, and not to a key with its own only (403)', async () => {
    const without = new Map<string, ApiClient>();
    for (const scope of new Set(keyed.flatMap(({ needs }) => needs))) {
      without.set(scope, (await world.account({ scopes: MANIFEST.scopes.filter((each) => each !== scope) })).api);
    }
    const only = new Map<string, ApiClient>();
    for (const { needs } of keyed) {
      only.set(needs.join(), only.get(needs.join()) ?? (await world.account({ scopes: needs })).api);
    }
    for (const route of keyed) {
      for (const scope of route.needs) {
        const api = without.get(scope);
        const refused = api && (await call(api, route));
        const message = `the API key lacks the scope ${scope}`;
        expect([route.key, refused?.status, refused?.body]).toEqual([route.key, 403, { error: 'forbidden', message }]);
      }
      const api = only.get(route.needs.join());
      expect([route.key, api && (await call(api, route)).status]).not.toEqual([route.key, 403]);
    }
  });

  it('counts towards the key’s rate limit (429)', async () => {
    const { api, keyId } = await world.account({ rateLimit: 1 });
    expect((await api.get('/api/v1/contacts/')).status).toBe(200);
    for (const route of keyed) {
      // However long the routes before it took, the minute of the first request is not over.
      await world.unitOfWork.autocommit.affected(
        `UPDATE rate_limit_windows SET times = ARRAY[ceil(extract(epoch FROM clock_timestamp()) * 1000)::bigint]
         WHERE subject = 'key:' || $1`,
        [keyId],
      );
      const { status, headers, body } = await call(api, route);
      expect([route.key, status, body.error]).toEqual([route.key, 429, 'rate_limited']);
      expect(headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    }
  });

  it('refuses a suspended account unless it only reads (403 account_suspended)', async () => {
    const { api, accountId } = await world.account();
    await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [accountId]);
    const writes = keyed.filter(({ key, needs }) => needs[0]?.endsWith(':write') && key !== REFUSES_SUSPENDED_ITSELF);
    await until('the suspension is known', async () => {
      const [route] = writes;
      return route && (await call(api, route)).body.error === 'account_suspended';
    });
    for (const route of keyed) {
      const { status, body } = await call(api, route);
      const outcome = [route.key, status, body.error];
      if (writes.includes(route)) expect(outcome).toEqual([route.key, 403, 'account_suspended']);
      else expect(outcome).not.toEqual([route.key, 403, expect.anything()]);
    }
  });

  it('answers the same with and without a trailing slash', async () => {
    const { api } = await world.account();
    for (const route of keyed) {
      const path = pathOf(route);
      // The first request may create something; later answers are the same.
      await call(api, route, path);
      const [plain, slashed] = [await call(api, route, path), await call(api, route, `${path}/`)];
      expect([route.key, slashed.status, slashed.text]).toEqual([route.key, plain.status, plain.text]);
    }
    // The slash is not redirected.
    const headers = { authorization: `Bearer ${api.apiKey}` };
    expect((await fetch(`${world.baseUrl}/api/v1/agents/`, { headers, redirect: 'manual' })).status).toBe(200);
  });

  it('answers 404 to other methods', async () => {
    const { api } = await world.account();
    const patterns = routes.map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
    }));
    for (const route of routes) {
      const path = pathOf(route);
      for (const method of METHODS) {
        if (patterns.some((each) => each.method === method && each.pattern.test(path))) continue;
        const { status, body } = await call(api, { ...route, method }, path);
        expect([method, path, status, body.error]).toEqual([method, path, 404, 'not_found']);
      }
    }
  });
});
