import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { CONVERSATION_CHANGES } from '../../src/cli/conversation-triggers.js';
import { INBOUND_TYPES, PERSON_TRIGGERS, SEND_TRIGGERS } from '../../src/cli/trigger-plans.js';
import { enrol } from '../conversations/conversations.js';
import { receivedBy } from '../inbound/inbound.js';
import { kindsOf, recordOf } from '../messages/messages.js';
import { freePort } from '../support/free-port.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { answerOf, commandLine } from './command-line.js';

describe('trigger', () => {
  let world: World;
  let account: TestAccount;
  let env: Record<string, string>;
  /** Nothing listens here. */
  let noServer: string;

  beforeAll(async () => {
    // Another address of the same machine: tests beside this one may get the port on 127.0.0.1.
    noServer = `http://127.0.0.254:${await freePort()}`;
    world = await World.start();
    await world.simulator.behave({ review_delay_ms: 0, status_delay_ms: 10 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    env = {
      DATA_DIR: '/nonexistent',
      PARLEY_BASE_URL: world.baseUrl,
      PARLEY_API_KEY: account.apiKey,
      PARLEY_SIMULATOR_URL: world.simulator.url,
    };
  });

  const trigger = (...args: string[]) =>
    answerOf(env, 'trigger', ...args) as Promise<unknown> as Promise<{ message_id: string; events: string[] }>;

  it.each(Object.keys(SEND_TRIGGERS).filter((name) => name !== 'sent'))(
    '%s causes the events that it names',
    async (name) => {
      const { message_id, events } = await trigger(name);
      // Reports may arrive together, and the last one be stored first.
      await eventually(async () => expect((await kindsOf(world, account)).sort()).toEqual([...events].sort()));
      const { timeline } = await recordOf(account, message_id);
      expect(timeline.map(({ status }) => status)).toContain(SEND_TRIGGERS[name]?.until);
    },
  );

  it('sent waits for message.sent only, and the other events follow', async () => {
    const { events } = await trigger('sent', '--to', '15559990123');
    expect(events).toEqual(['message.sent']);
    expect(await kindsOf(world, account)).toContain('message.sent');
    await until('it is read', async () => (await kindsOf(world, account)).includes('message.read'));
  });

  it('uses one template for all messages, even for parallel triggers', async () => {
    await Promise.all([trigger('sent'), trigger('failed')]);
    await trigger('delivered');
    const { body } = await account.api.get<{ templates: { name: string }[] }>('/api/v1/templates/');
    expect(body.templates.map(({ name }) => name)).toEqual(['parley_trigger']);
  });

  it.each(INBOUND_TYPES)('inbound sends %s', async (type) => {
    const { events } = await trigger('inbound', '--type', type);
    expect(await kindsOf(world, account)).toEqual(events);
    expect(await receivedBy(account)).toMatchObject([
      { message_type: type === 'unknown' ? 'hologram' : type, contact_name: 'Casey Example' },
    ]);
  });

  it.each(Object.keys(PERSON_TRIGGERS))('%s causes the events that it names', async (name) => {
    const { events } = await trigger(name);
    await eventually(async () => expect((await kindsOf(world, account)).sort()).toEqual([...events].sort()));
  });

  it('inbound from an ad, by somebody who hides the number', async () => {
    await trigger('inbound', '--ad', '--hide-number', '--forwarded');
    expect(await receivedBy(account)).toMatchObject([{ contact_phone: null }]);
  });

  it('inbound takes the sender, the name and the text', async () => {
    await trigger('inbound', '--from', '+1 555 999-0177', '--name', 'Ada Lindgrove', '--text', 'Where is my order?');
    expect(await receivedBy(account)).toMatchObject([
      { contact_phone: '15559990177', contact_name: 'Ada Lindgrove', content: 'Where is my order?' },
    ]);
  });

  it('optout and optin change opted_in', async () => {
    expect(await trigger('optout')).toMatchObject({ opted_in: false, events: ['message.received'] });
    expect(await trigger('optin')).toMatchObject({ opted_in: true, events: ['message.received'] });
    expect(await kindsOf(world, account)).toEqual(['message.received', 'message.received']);
  });

  it('optout fails when the organisation uses another word', async () => {
    await world.parley.app.get(OrganisationsService).set(String(account.organisationId), { stopWords: ['HALT'] });
    await expect(commandLine(env, 'trigger', 'optout')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: 'STOP did not change opted_in of 15559990100: the organisation uses other words\n',
    });
  });

  describe('of a conversation', () => {
    const changes = Object.keys(CONVERSATION_CHANGES);

    it.each(changes.flatMap((first) => changes.map((second) => [first, second] as const)))(
      '%s, then %s, names exactly the events that it causes',
      async (first, second) => {
        const told = [await trigger(first), await trigger(second)];
        for (const [index, name] of [first, second].entries()) {
          expect(told[index]?.events.at(-1)).toBe(`conversation.${name}`);
        }
        expect(await kindsOf(world, account)).toEqual(told.flatMap(({ events }) => events));
      },
    );

    it('assigned picks another agent if there is one', async () => {
      const ada = await enrol(world, account, 'Ada Agent');
      const holders = [await trigger('assigned'), await trigger('assigned')].map((told) => told as unknown);
      expect(holders).toMatchObject([{ events: ['conversation.assigned'] }, { events: ['conversation.assigned'] }]);
      expect(new Set(holders.map((told) => (told as { assigned_to: string }).assigned_to))).toEqual(
        new Set([ada, account.ownerId]),
      );
    });
  });

  describe('prints one line for', () => {
    it.each<[string, string[], RegExp]>([
      ['an unknown trigger', ['paid'], /^error: unknown command 'paid'$/],
      ['no trigger', [], /incomplete/],
      [
        'a recipient number with another outcome',
        ['failed', '--to', '15559990100'],
        /must end in 9990001 .*the simulator fails/,
      ],
      ['a malformed recipient', ['read', '--to', 'Ada'], /phone number/],
      ['an unknown type', ['inbound', '--type', 'fax'], /'fax' is invalid/],
      ['a text with another type', ['inbound', '--type', 'image', '--text', 'Hi'], /requires --type text/],
      ['a URL that is none', ['inbound', '--base-url', 'localhost'], /http:\/\/ or https:\/\//],
    ])('%s (exit 2)', async (_, args, message) => {
      const { code, stdout, stderr } = await commandLine(env, 'trigger', ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr.trimEnd()).toMatch(message);
      expect(stderr).toMatch(/^[^\n]+\n$/);
    });

    it.each<[string, () => Record<string, string>, string]>([
      [
        'a missing base URL',
        () => ({ PARLEY_BASE_URL: '' }),
        'configuration: PARLEY_BASE_URL (or --base-url) is required: no sandbox has been started in /nonexistent',
      ],
      [
        'a malformed base URL',
        () => ({ PARLEY_BASE_URL: 'localhost:3000' }),
        'configuration: PARLEY_BASE_URL must be a URL that starts with http:// or https://',
      ],
      [
        'a missing API key',
        () => ({ PARLEY_API_KEY: '' }),
        'configuration: PARLEY_API_KEY (or --api-key) is required for {base}',
      ],
      [
        'a missing simulator URL',
        () => ({ PARLEY_SIMULATOR_URL: '' }),
        'configuration: PARLEY_SIMULATOR_URL (or --simulator-url) is required: {base} is not a sandbox with a simulated network',
      ],
      [
        'an unreachable Parley',
        () => ({ PARLEY_BASE_URL: `${noServer}/` }),
        'cannot connect to {noServer}: is Parley running there?',
      ],
      [
        'an unreachable simulator',
        () => ({ PARLEY_SIMULATOR_URL: noServer }),
        'cannot connect to {noServer}: is the simulator running there?',
      ],
      [
        'a rejected API key',
        () => ({ PARLEY_API_KEY: 'pk_live_x' }),
        'GET {base}/api/v1/business-phones/ answered 401: the API key is unknown, expired or revoked',
      ],
    ])('%s (exit 1)', async (_, change, message) => {
      const { code, stdout, stderr } = await commandLine({ ...env, ...change() }, 'trigger', 'inbound');
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: `${message.replace('{base}', world.baseUrl).replace('{noServer}', noServer)}\n`,
      });
    });

    it('a Parley on another network, before anything is sent', async () => {
      const stranger = await LoopbackServer.start((_, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":100}}');
      });
      const change = { PARLEY_SIMULATOR_URL: stranger.url() };
      const { code, stderr } = await commandLine({ ...env, ...change }, 'trigger', 'read').finally(() =>
        stranger.stop(),
      );
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^the simulator at \S+ does not know business phone \d+ of \S+: trigger works only on the/,
      );
      expect(await kindsOf(world, account)).toEqual([]);
      expect(stranger.requests).toEqual([`GET /v23.0/${account.phone.phoneNumberId}`]);
    });

    it('a server that is not Parley', async () => {
      const page = await LoopbackServer.start((_, response) => response.end('<html>'));
      const change = { PARLEY_BASE_URL: page.url() };
      const { code, stderr } = await commandLine({ ...env, ...change }, 'trigger', 'inbound').finally(() =>
        page.stop(),
      );
      expect([code, stderr]).toEqual([1, expect.stringMatching(/did not answer with JSON: is this Parley\?\n$/)]);
    });
  });

  describe('on a sandbox', () => {
    let dataDir: string;
    beforeEach(() => {
      dataDir = mkdtempSync(path.join(tmpdir(), 'parley-cli-'));
    });
    afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

    const started = (base_url: string, simulator_url: string | null = world.simulator.url) => {
      const file = { base_url, simulator_url, api_key: account.apiKey };
      writeFileSync(path.join(dataDir, 'sandbox.json'), JSON.stringify(file));
      return { DATA_DIR: dataDir };
    };

    it('needs no options', async () => {
      await expect(answerOf(started(world.baseUrl), 'trigger', 'inbound')).resolves.toMatchObject({
        events: ['message.received'],
      });
    });

    it('fails with a hint when it is not running', async () => {
      await expect(commandLine(started(noServer), 'trigger', 'inbound')).resolves.toEqual({
        code: 1,
        stdout: '',
        stderr: `the sandbox of ${dataDir} is not running: start it with npm start\n`,
      });
    });

    it('requires its simulator', async () => {
      const { code, stderr } = await commandLine(started(world.baseUrl, null), 'trigger', 'inbound');
      expect([code, stderr]).toEqual([1, expect.stringContaining('PARLEY_SIMULATOR_URL (or --simulator-url) is req')]);
    });

    it('does not use its key and simulator for another Parley', async () => {
      const sandbox = started(noServer);
      const { stderr } = await commandLine(sandbox, 'trigger', 'inbound', '--base-url', world.baseUrl);
      expect(stderr).toBe(`configuration: PARLEY_API_KEY (or --api-key) is required for ${world.baseUrl}\n`);
      const keyed = ['--base-url', world.baseUrl, '--api-key', account.apiKey];
      const { stderr: other } = await commandLine(sandbox, 'trigger', 'inbound', ...keyed);
      expect(other).toContain('PARLEY_SIMULATOR_URL (or --simulator-url) is required');
    });
  });
});
