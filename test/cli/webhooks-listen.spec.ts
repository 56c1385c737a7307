import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Program } from '../sandbox/program.js';
import { Shell } from '../sandbox/shell.js';
import { freshDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { commandLine } from './command-line.js';

interface Ready {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secret: string;
  readonly subscribed_events: string[];
}
interface Shown {
  readonly event: string;
  readonly webhook_id: string;
  readonly verified: boolean;
  readonly failure: string | null;
  readonly forwarded: { status: number | null; error: string | null; duration_ms: number } | null;
  readonly payload: unknown;
}

describe('webhooks listen', () => {
  let world: World;
  let account: TestAccount;
  let env: Record<string, string>;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    env = accessTo(world, account);
  });
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    await Program.killAll();
    for (const end of ends.splice(0)) await end();
  });

  const accessTo = ({ baseUrl }: World, { apiKey }: TestAccount) => ({
    DATA_DIR: '/nonexistent',
    PARLEY_BASE_URL: baseUrl,
    PARLEY_API_KEY: apiKey,
  });
  const endpoints = async ({ api }: TestAccount = account) =>
    (await api.get<{ webhooks: { id: string; url: string }[] }>('/api/v1/webhooks/')).body.webhooks;
  const jsonLines = (program: Program): unknown[] =>
    program.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  /** Starts a listener and waits until it is ready. */
  async function listening(...args: string[]): Promise<{ program: Program; ready: Ready; shown(): Shown[] }> {
    const program = Program.script('cli.mjs', env, ['webhooks', 'listen', '--json', ...args]);
    await program.until('it is ready', () => program.stdout.includes('\n'));
    return {
      program,
      ready: jsonLines(program)[0] as Ready,
      shown: () => jsonLines(program).slice(1) as Shown[],
    };
  }

  it('prints verified deliveries and removes its endpoint on Ctrl-C', async () => {
    const program = Program.script('cli.mjs', env, ['webhooks', 'listen']);
    await program.until('it is ready', () => program.stdout.includes('Press Ctrl-C'));
    const [endpoint] = await endpoints();
    expect(program.stdout).toMatch(/ {2}secret {2}whsec_[\w+/]{43}=\n/);
    expect(program.stdout).toContain(`Ready: webhook ${endpoint?.id} sends message.sent, message.delivered,`);
    await emit(world, [event(account, 'Zoë\u001b[2J')]);
    await program.until('it is shown', () => program.stdout.includes('verified'));
    const [delivery] = await until('it has been delivered', async () => {
      const deliveries = await deliveriesOf(account, String(endpoint?.id));
      return deliveries.every(({ status }) => status === 'delivered') && deliveries;
    });
    expect(program.stdout).toMatch(
      new RegExp(`\\dZ {2}message.sent {2}${delivery?.webhook_id} {2}verified\n {2}\\{"event"`),
    );
    expect(program.stdout).toContain('Zoë\\u001b[2J');
    program.kill('SIGINT');
    await expect(program.exit).resolves.toBe(0);
    expect(program.stderr).toBe('');
    expect(await endpoints()).toEqual([]);
  });

  it('prints one line of JSON per delivery with --json, and also ends on SIGTERM', async () => {
    const { program, ready, shown } = await listening();
    expect(ready).toEqual({
      endpoint_id: (await endpoints())[0]?.id,
      url: (await endpoints())[0]?.url,
      secret: expect.stringMatching(/^whsec_/),
      subscribed_events: expect.arrayContaining(['message.sent', 'conversation.reopened']),
    });
    await emit(world, [event(account, 1)]);
    await program.until('it is shown', () => shown().length >= 1);
    expect(shown()).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        event: 'message.sent',
        webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        verified: true,
        failure: null,
        forwarded: null,
        payload: event(account, 1).payload,
      },
    ]);
    program.kill('SIGTERM');
    await expect(program.exit).resolves.toBe(0);
    expect(await endpoints()).toEqual([]);
  });

  it('subscribes to the given events and signs with the given secret', async () => {
    const { program, ready, shown } = await listening('--events', 'message.read', '--secret', 'mine');
    expect(ready).toMatchObject({ secret: 'mine', subscribed_events: ['message.read'] });
    await emit(world, [event(account, 1), event(account, 2, 'message.read')]);
    await program.until('one is shown', () => shown().length > 0);
    await account.api.post(`/api/v1/webhooks/${ready.endpoint_id}/test`);
    await program.until('the test is shown', () => shown().length > 1);
    expect(shown()).toMatchObject([
      { event: 'message.read', verified: true },
      { event: 'webhook.test', verified: true },
    ]);
  });

  it('forwards each delivery unchanged and returns the answer', async () => {
    const application = await Receiver.listen(() => ({
      status: application.received.length === 1 ? 503 : 201,
      body: 'ok',
    }));
    ends.push(() => application.close());
    const { program, ready, shown } = await listening('--forward', application.url('/hooks?x=1'));
    await emit(world, [event(account, 'ä€😀')]);
    await program.until('it has been repeated', () => shown().length >= 2);
    expect(shown().map(({ forwarded }) => forwarded)).toEqual([
      { status: 503, error: null, duration_ms: expect.any(Number) },
      { status: 201, error: null, duration_ms: expect.any(Number) },
    ]);
    const [delivery] = await until('it has been delivered', async () => {
      const deliveries = await deliveriesOf(account, ready.endpoint_id);
      return deliveries[0]?.status === 'delivered' && deliveries;
    });
    expect(delivery?.attempts).toMatchObject([
      { status_code: 503, response: 'ok' },
      { status_code: 201, response: 'ok' },
    ]);
    const [first] = application.received;
    expect(first?.path).toBe('/hooks?x=1');
    expect(JSON.parse(String(first?.body))).toEqual(event(account, 'ä€😀').payload);
    expect(Object.keys(first?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-webhook-signature',
    ]);
    expect(first?.headers).toMatchObject({ 'webhook-id': delivery?.webhook_id, 'user-agent': 'Parley-Webhook/1.0' });
  });

  it('reports an unreachable application, and that a 410 disables the webhook', async () => {
    const answer = (_: unknown, response: ServerResponse) => void response.writeHead(410).end();
    const application = await LoopbackServer.start(answer, '127.0.0.1', await freePort());
    ends.push(() => application.stop());
    const program = Program.script('cli.mjs', env, ['webhooks', 'listen', '--forward', application.url()]);
    await program.until('it is ready', () => program.stdout.includes('Press Ctrl-C'));
    await emit(world, [event(account, 1)]);
    await program.until('410 is explained', () => program.stdout.includes('410 disables the webhook'));
    await application.stop();
    const [endpoint] = await endpoints();
    await until('it is disabled', async () => {
      const { body } = await account.api.get<{ webhook: { status: string } }>(`/api/v1/webhooks/${endpoint?.id}`);
      return body.webhook.status === 'disabled';
    });
    await account.api.patch(`/api/v1/webhooks/${endpoint?.id}`, { status: 'active' });
    await emit(world, [event(account, 2)]);
    await program.until('the failure is shown', () => program.stdout.includes('could not be forwarded: ECONNREFUSED'));
    const [delivery] = await until('it is logged', async () => {
      const deliveries = await deliveriesOf(account, String(endpoint?.id));
      return deliveries[0]?.attempts[0] && deliveries;
    });
    expect(delivery?.attempts[0]).toMatchObject({
      status_code: 502,
      response: `${application.url()} could not be reached: ECONNREFUSED`,
    });
  });

  it('does not forward unsigned requests (401)', async () => {
    const application = await Receiver.listen();
    ends.push(() => application.close());
    const { program, ready, shown } = await listening('--forward', application.url());
    const forged = await fetch(ready.url, {
      method: 'POST',
      body: '{"event":"message.sent"}',
      headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    });
    expect([forged.status, await forged.text()]).toEqual([401, 'webhook-signature does not match']);
    expect((await fetch(ready.url)).status).toBe(404);
    await program.until('it is shown', () => shown().length >= 1);
    expect(shown()).toMatchObject([{ verified: false, failure: 'webhook-signature does not match', forwarded: null }]);
    expect(application.received).toEqual([]);
  });

  it('removes its endpoint when its output pipe is closed', async () => {
    const shell = new Shell('node scripts/cli.mjs webhooks listen | head -n 1', env);
    try {
      await until('it is ready', () => shell.output.includes('Ready'));
      await until('it has noticed', async () => {
        await emit(world, [event(account, 1)]);
        return (await endpoints()).length === 0;
      });
      await expect(shell.exit).resolves.toBe(0);
    } finally {
      shell.end();
    }
  });

  it('removes the endpoint of a killed run, and no other', async () => {
    const mine = await subscribe(account, { url: 'http://127.0.0.1:1/hooks' });
    // It counts as dead when nobody listens on its port.
    const killed = await listening('--port', String(await freePort()));
    killed.program.kill('SIGKILL');
    await killed.program.exit;
    const other = await listening();
    const last = await listening();
    expect((await endpoints()).map(({ id }) => id)).toEqual([last.ready.endpoint_id, other.ready.endpoint_id, mine]);
  });

  describe('prints one line when', () => {
    it('Parley does not deliver to this machine, with what to do', async () => {
      const closed = await World.start({ env: { EGRESS_ALLOW: '', PARLEY_ROLES: 'api' } });
      try {
        const tenant = await closed.account();
        const { code, stdout, stderr } = await commandLine(accessTo(closed, tenant), 'webhooks', 'listen');
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^\S+ does not deliver to http:\/\/127\.0\.0\.1:\d+\/\S+: url leads to an address that is not public\. Parley delivers to its own machine if its EGRESS_ALLOW includes 127\.0\.0\.0\/8, [^\n]*--public-url\n$/,
        );
        expect(await endpoints(tenant)).toEqual([]);
      } finally {
        await closed.stop();
      }
    });

    it('the test event does not arrive, with the reason', async () => {
      const { code, stdout, stderr } = await commandLine(
        env,
        'webhooks',
        'listen',
        '--public-url',
        'http://127.0.0.1:1',
      );
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^a test event could not be delivered to http:\/\/127\.0\.0\.1:1\/\S+: the endpoint refused the connection\. [^\n]*\n$/,
      );
      expect(await endpoints()).toEqual([]);
    });

    it('no worker is running', async () => {
      const idle = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl: await freshDatabase() });
      try {
        const { code, stderr } = await commandLine(accessTo(idle, await idle.account()), 'webhooks', 'listen');
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^no test event has been sent .*a worker of Parley/)]);
      } finally {
        await idle.stop();
      }
    });

    it('Parley knows no such event, naming those that exist', async () => {
      const { code, stdout, stderr } = await commandLine(env, 'webhooks', 'listen', '--events', 'message.flown');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /subscribed_events\[0\] must be one of message\.sent, [^\n]*\(got message\.flown\)[^\n]*\n$/,
      );
    });

    it('the port is taken', async () => {
      const taken = await LoopbackServer.start(() => undefined);
      ends.push(() => taken.stop());
      const { code, stderr } = await commandLine(env, 'webhooks', 'listen', '--port', String(taken.port));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^cannot listen on port \d+: .*EADDRINUSE.*\n$/)]);
    });

    it.each<[string, string[], RegExp]>([
      ['a URL that is none', ['--forward', 'localhost:4040'], /http:\/\/ or https:\/\//],
      ['a port that is none', ['--port', '70000'], /from 0 to 65535/],
    ])('%s (exit 2)', async (_, args, message) => {
      const { code, stdout, stderr } = await commandLine(env, 'webhooks', 'listen', ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(message);
    });

    it('the endpoint could not be removed', async () => {
      const { program } = await listening();
      await commandLine({ ...env, DATABASE_URL: world.environment.databaseUrl }, 'keys', 'revoke', account.keyId);
      await until('the key is rejected', async () => (await account.api.get('/api/v1/webhooks/')).status === 401);
      program.kill('SIGINT');
      await expect(program.exit).resolves.toBe(1);
      expect(program.stderr).toMatch(/^webhook \S+ could not be removed: DELETE \S+ answered 401: [^\n]+\n$/);
    });
  });

  it('closes a connection whose request never ends', async () => {
    const { ready } = await listening();
    const { port, pathname } = new URL(ready.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    ends.push(() => socket.destroy());
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n`);
    const feed = (error?: Error | null) => {
      if (!error) socket.write(Buffer.alloc(65_536), feed);
    };
    feed();
    await until('it is closed', () => socket.closed);
  });
});
