import { EgressGuard } from '../../src/egress/egress-guard.js';
import { patientResolver } from '../egress/patient-dns.js';
import { DnsServer } from '../support/dns-server.js';
import { HeldTimers } from '../support/held-timers.js';
import { Canary, LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, settledDeliveries, subscribe } from './events.js';

const PUBLIC = '93.184.216.34';
const PRIVATE = '127.0.0.9';
const ALLOWED = '127.0.0.2';
const REFUSED = 'the endpoint leads to an address that is not public';
/** How long saving an endpoint waits for DNS, milliseconds. */
const VET_MS = 1000;

/** Hosts are checked when an endpoint is saved and again for each connection, because DNS may change in between. */
describe('a webhook’s host', () => {
  let dns: DnsServer;
  let world: World;
  let account: TestAccount;
  let canary: Canary;

  beforeAll(async () => {
    dns = await DnsServer.start();
    canary = await Canary.start();
    world = await World.start({ env: { EGRESS_ALLOW: `${ALLOWED}/32` } });
    Object.assign(world.parley.app.get(EgressGuard), { resolver: patientResolver(dns) });
  });
  afterAll(async () => {
    await world.stop();
    await canary.stop();
    await dns.stop();
  });
  beforeEach(async () => {
    account = await world.account();
    canary.seen = 0;
  });

  /** Does `work` while those who save an endpoint wait for DNS as long as it takes. */
  const withPatience = async <T>(work: () => Promise<T>): Promise<T> => {
    const timers = HeldTimers.of(VET_MS);
    try {
      return await work();
    } finally {
      // Others have set timers of a second too.
      timers.runOut();
      timers.letGo();
    }
  };
  const settled = (webhookId: string, count?: number) => settledDeliveries(account, webhookId, count);
  const post = (url: string) => account.api.post('/api/v1/webhooks/', { url });

  it.each([
    ['a private address', [PRIVATE]],
    ['a private address beside a public one', [PUBLIC, '10.0.0.7']],
    ['the address of cloud metadata', ['169.254.169.254']],
    ['a private IPv6 address', ['fd00::1']],
  ])('is refused on create and update while it resolves to %s (400)', async (_, addresses) => {
    dns.resolve('private.example', addresses);
    dns.resolve('public.example', [PUBLIC]);
    const id = await withPatience(() => subscribe(account, { url: 'https://public.example/hook' }));
    const url = `https://private.example:${canary.port}/hook`;
    const answers = await withPatience(async () => [
      await post(url),
      await account.api.patch(`/api/v1/webhooks/${id}`, { url }),
    ]);
    for (const refused of answers) {
      expect(refused.status).toBe(400);
      expect(refused.body).toEqual({ error: 'bad_request', message: 'url leads to an address that is not public' });
    }
    expect(canary.seen).toBe(0);
  });

  it('is not connected to after its name moves from a public to a private address (rebinding)', async () => {
    dns.resolve('rebinds.example', [PUBLIC]);
    const url = `https://rebinds.example:${canary.port}/hook`;
    const id = await withPatience(() => subscribe(account, { url, retry_count: 1 }));
    dns.resolve('rebinds.example', [PRIVATE]);
    await emit(world, [event(account, 1)]);
    const [delivery] = await settled(id, 1);
    expect(delivery?.status).toBe('failed');
    expect(delivery?.attempts).toMatchObject([
      { status_code: null, error: REFUSED, response: null },
      { status_code: null, error: REFUSED, response: null },
    ]);
    expect(canary.seen).toBe(0);
  });

  it('is checked for each connection, and gets deliveries again once its address is allowed', async () => {
    const mayBe = await LoopbackServer.start(
      (_request, response) => response.writeHead(200, { connection: 'close' }).end(),
      ALLOWED,
    );
    const mayNot = await LoopbackServer.start((_request, response) => response.end(), PRIVATE, mayBe.port);
    try {
      dns.resolve('moves.example', [ALLOWED]);
      const id = await withPatience(() =>
        subscribe(account, { url: `http://moves.example:${mayBe.port}/`, retry_count: 10 }),
      );
      await emit(world, [event(account, 1)]);
      await settled(id, 1);
      dns.resolve('moves.example', [PRIVATE]);
      await emit(world, [event(account, 2)]);
      await until('the second was refused', async () => {
        const deliveries = await deliveriesOf(account, id);
        return deliveries.length >= 2 && deliveries[0]?.attempts.length;
      });
      dns.resolve('moves.example', [ALLOWED]);
      const [second] = await settled(id, 2);
      expect(second).toMatchObject({
        status: 'delivered',
        attempts: expect.arrayContaining([
          expect.objectContaining({ status_code: null, error: REFUSED }),
          expect.objectContaining({ status_code: 200, error: null }),
        ]),
      });
      expect(mayBe.requests).toEqual(['POST /', 'POST /']);
      expect(mayNot.connections).toBe(0);
    } finally {
      await mayBe.stop();
      await mayNot.stop();
    }
  });

  it('does not delay other hosts while its DNS server is silent', async () => {
    const server = await LoopbackServer.start((_request, response) => response.end(), ALLOWED);
    try {
      dns.ignore('silent.example');
      dns.resolve('good.example', [ALLOWED]);
      const silent = await subscribe(account, { url: 'https://silent.example/', timeout: 1 });
      const good = await withPatience(() => subscribe(account, { url: `http://good.example:${server.port}/` }));
      await emit(world, [event(account, 1)]);
      const [delivery] = await settled(good, 1);
      const attempt = await until('the silent one is given up', async () => {
        return (await deliveriesOf(account, silent))[0]?.attempts[0];
      });
      expect(attempt).toMatchObject({
        status_code: null,
        error: 'the endpoint has a host name that could not be resolved within 1 s',
      });
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
      expect(Date.parse(delivery?.attempts[0]?.at ?? '')).toBeLessThan(Date.parse(attempt.at) + attempt.duration_ms);
      await account.api.delete(`/api/v1/webhooks/${silent}`);
    } finally {
      await server.stop();
    }
  });
});
