import { recordedExamples } from '../../src/api-description/recorded-examples.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { MANIFEST, ROOMS } from '../../src/rooms.js';
import { DAY, HOUR } from '../../src/values/clock.js';
import { ENDPOINT_LIMIT } from '../../src/webhooks/delivery/attempt-limit.js';
import {
  deliveryRetryDelayMs,
  judgeResponse,
  MAX_RETRY_AFTER_MS,
} from '../../src/webhooks/delivery/delivery-verdict.js';
import { deliveryHeaders } from '../../src/webhooks/delivery/webhook-signature.js';
import { OWN_HEADERS } from '../../src/webhooks/endpoints/endpoint-headers.js';
import { FAILURE_EVIDENCE, RETRY_COUNT, SECRET, TIMEOUT } from '../../src/webhooks/endpoints/endpoint-rules.js';
import { MAX_SIGNING_SECRETS, ROTATION_MS, SECRET_BYTES } from '../../src/webhooks/endpoints/endpoint-secrets.js';
import { act, enrol } from '../conversations/conversations.js';
import { kindsOf, openWindow, report, SEND, untilStatus } from '../messages/messages.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import { Shell } from '../sandbox/shell.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { type Received, Receiver } from '../webhooks/receiver.js';
import { Document } from './document.js';
import { Normaliser, recordExamples } from './samples.js';

/** Those of Parley itself; an extension documents its own. */
const KINDS = new Manifest(ROOMS).subscribableEvents;
const page = new Document('webhooks.md');
/** When commands that wait for something are ended, milliseconds. */
const PATIENCE_MS = 180_000;
const URL_OF_PAGE = 'https://example.com/webhooks';
const [CASEY, DANA, HIDDEN] = ['15559990100', '15559990001', 'US.13491208655302741918'] as const;

type Payload = { readonly event: string } & Record<string, Record<string, unknown>>;

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What the page shows of each kind of message that contacts send. */
const INBOUND: Readonly<Record<string, Record<string, unknown>>> = {
  voice: { type: 'audio', media: { id: '1', sha256: '0'.repeat(64) } },
  location: { type: 'location' },
  card: { type: 'contacts' },
  order: { type: 'order' },
  'list entry': { type: 'list_reply', row_id: 'morning', title: 'In the morning', description: '8 to 12' },
  form: { type: 'nfm_reply', response_json: { day: '2026-02-03', persons: 4 } },
  reaction: { type: 'reaction', context_id: 'wamid.unknown', emoji: '👍' },
  ad: {
    text: 'Is this still available?',
    referral: {
      source_type: 'ad',
      source_id: '120',
      source_url: 'https://example.com/ad',
      headline: 'Sale',
      ctwa_clid: 'c-1',
    },
  },
  unknown: { type: 'unknown', kind: 'hologram', content: { id: '1' } },
};

describe('docs/webhooks.md', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;
  const began = new Date();

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterAll(async () => {
    await receiver.close();
    await world.stop();
  });

  /** The JSON sent by the first command of the page. */
  const creation = (): { url: string; secret: string } => {
    const [, body = ''] = /webhooks\/" -d '(\{[^']*\})'/.exec(page.blocks('bash').join('')) ?? [];
    return JSON.parse(body);
  };
  const payloadOf = ({ body }: Received): Payload => JSON.parse(body.toString('utf8'));
  const call = async (
    method: 'get' | 'post' | 'patch',
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> => {
    const response = await account.api[method](path, body as never);
    if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
    return response.body;
  };

  /** Triggers each kind of event and everything else that the page shows, and returns the samples. */
  async function record(): Promise<Map<string, string>> {
    const samples = new Map<string, unknown>();
    // Reports are sent one by one below, so that each is stored before the next.
    await world.simulator.behave({ statuses: [] });
    const created = await call('post', '/api/v1/webhooks/', { ...creation(), url: receiver.url('/webhooks') });
    samples.set('endpoint', created);
    const { id, subscribed_events: subscribed } = created['webhook'] as { id: string; subscribed_events: string[] };
    // With the default, a machine that stands still for a while would cause second attempts, which the page does not show.
    const allow = (timeout: number) => call('patch', `/api/v1/webhooks/${id}`, { timeout });
    await allow(TIMEOUT.max);
    const find = (what: string, matches: (payload: Payload) => boolean): Promise<Payload> =>
      until(`${what} arrives`, () => receiver.received.map(payloadOf).find(matches));
    const of = (kind: string) => find(kind, ({ event }) => event === kind);

    await openWindow(world, account.phone, CASEY, { name: 'Casey Example', text: 'Are you open today?' });
    samples.set('message.received', await of('message.received'));
    const campaign = await sendCampaign();
    for (const status of ['sent', 'delivered', 'read']) {
      await report(world, account.phone.phoneNumberId, { id: campaign.networkId, status });
      samples.set(`message.${status}`, await of(`message.${status}`));
    }
    const [sent] = receiver.received.filter((each) => payloadOf(each).event === 'message.sent');
    samples.set('request', sent?.headers['webhook-id']);
    await openWindow(world, account.phone, CASEY, { text: 'Yes, please!', context_id: campaign.networkId });
    const tap = { type: 'button', text: 'Tell me more', payload: 'more', context_id: campaign.networkId };
    await openWindow(world, account.phone, CASEY, tap);

    const { message_id: failing } = await call('post', SEND, {
      template_name: campaign.template,
      contact_phone: DANA,
      contact_name: 'Dana Example',
    });
    const { network_message_id } = await untilStatus(account, failing, 'sent');
    const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
    const failure = { id: String(network_message_id), status: 'failed', errors };
    await report(world, account.phone.phoneNumberId, failure);
    samples.set('message.failed', await of('message.failed'));

    const [ada, ben] = [await enrol(world, account, 'Ada Agent'), await enrol(world, account, 'Ben Agent')];
    await act(account, 'assign', CASEY, { user_id: ada });
    await act(account, 'assign', CASEY, { user_id: ben, note: 'Speaks Portuguese' });
    await act(account, 'unassign', CASEY);
    await act(account, 'resolve', CASEY, { reason: 'Answered' });
    await act(account, 'reopen', CASEY);
    await openWindow(world, account.phone, '', { from: undefined, from_user_id: HIDDEN, name: 'Robin Example' });

    samples.set('button.clicked', await of('button.clicked'));
    samples.set('message.reply', await find('a reply', (sent) => sent['reply']?.['content'] === 'Yes, please!'));
    const reassigned = (sent: Payload) => sent['conversation']?.['is_reassignment'] === true;
    samples.set('conversation.assigned', await find('a reassignment', reassigned));
    for (const kind of ['conversation.unassigned', 'conversation.resolved', 'conversation.reopened']) {
      samples.set(kind, await of(kind));
    }
    samples.set('hidden number', await find('who hides', (sent) => sent['message']?.['contact_user_id'] === HIDDEN));

    const kind = 'message.received';
    const arrived = () => receiver.received.map(payloadOf).filter(({ event }) => event === kind);
    const stored = (await kindsOf(world, account)).filter((each) => each === kind).length;
    await until('all earlier messages have arrived', () => arrived().length >= stored);
    for (const [name, input] of Object.entries(INBOUND)) {
      const before = arrived().length;
      await openWindow(world, account.phone, CASEY, { text: undefined, ...input });
      samples.set(name, await until(`${name} arrives`, () => arrived()[before]));
    }

    await allow(TIMEOUT.default);
    samples.set('rotation', await call('post', `/api/v1/webhooks/${id}/rotate-secret`));
    await allow(TIMEOUT.max);
    await call('post', `/api/v1/webhooks/${id}/test`);
    samples.set('webhook.test', await of('webhook.test'));
    const count = (await kindsOf(world, account)).filter((each) => subscribed.includes(each)).length + 1;
    samples.set('log', await delivered(id, count));
    const since = new Date(began.getTime() - HOUR).toISOString();
    await call('post', `/api/v1/webhooks/${id}/replay`, { since, events: ['message.failed'] });
    await until('the replay is over', async () => {
      const found = await call('get', `/api/v1/webhooks/${id}`);
      const { delivered: made } = found['last_hour'] as { delivered: number };
      return made > count && (found['replay'] as { status: string }).status === 'finished';
    });
    await allow(TIMEOUT.default);
    const overview = await call('get', `/api/v1/webhooks/${id}`);
    // The replay's `since` is an hour earlier, so the page shows the start of the run instead.
    samples.set('overview', { ...overview, replay: { ...(overview['replay'] as object), since: began.toISOString() } });
    await changing(samples);
    samples.set('webhook.disabled', await disabling(id));
    return finished(samples);
  }

  /** Edits and deletes a message, and records what an endpoint hears that asks for it. */
  async function changing(samples: Map<string, unknown>): Promise<void> {
    const kinds = ['message.edited', 'message.revoked'];
    await call('post', '/api/v1/webhooks/', { url: receiver.url('/changes'), subscribed_events: kinds });
    const original_message_id = 'wamid.HBgLMTU1NTk5OTAxMDAVAgASGBQzQTVDRkE4RjA2Q0Q5RDI5RTI1OQA=';
    await openWindow(world, account.phone, CASEY, { id: original_message_id, text: 'See you at tree' });
    await openWindow(world, account.phone, CASEY, { type: 'edit', original_message_id, text: 'See you at three' });
    await openWindow(world, account.phone, CASEY, { type: 'revoke', original_message_id, text: undefined });
    for (const kind of kinds) {
      const told = () => receiver.received.map(payloadOf).find(({ event }) => event === kind);
      samples.set(kind, await until(`${kind} arrives`, told));
    }
  }

  /** Lets an endpoint say that it is gone, and returns what another one hears of it. */
  async function disabling(id: string): Promise<Payload> {
    receiver.answerWith(({ path }) => ({ status: path === '/webhooks' ? 410 : 200 }));
    const watcher = { url: receiver.url('/watcher'), subscribed_events: ['webhook.disabled'] };
    await call('post', '/api/v1/webhooks/', watcher);
    await call('post', `/api/v1/webhooks/${id}/test`);
    return until(
      'the watcher is told',
      () => receiver.received.filter(({ path }) => path === '/watcher').map(payloadOf)[0],
    );
  }

  /** Sends a campaign with a quick reply to one contact. */
  async function sendCampaign(): Promise<{ networkId: string; template: string }> {
    const { name: template } = await approvedTemplate(world, account, {
      buttons: [{ type: 'QUICK_REPLY', text: 'Tell me more' }],
    });
    const { campaign_id } = await call('post', '/api/v1/campaigns/', {
      name: 'Spring offer',
      template_name: template,
      contacts: [{ phone: CASEY }],
    });
    await call('post', `/api/v1/campaigns/${campaign_id}/send`);
    const [accepted] = await until('it is accepted', async () => {
      const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
      return ledger.length >= 1 && ledger;
    });
    await untilStatus(account, accepted?.biz_opaque_callback_data, 'sent');
    return { networkId: String(accepted?.id), template };
  }

  /** The newest entry of the delivery log, once `count` deliveries have ended. */
  const delivered = (id: string, count: number): Promise<unknown> =>
    until('all are delivered', async () => {
      const { deliveries, ...rest } = await call('get', `/api/v1/webhooks/${id}/deliveries?limit=100`);
      const all = deliveries as { status: string }[];
      const isOver = all.length >= count && all.every(({ status }) => status === 'delivered');
      return isOver && { status: 'success', deliveries: all.slice(0, 1), total: rest['total'], page: 1, limit: 1 };
    });

  /** The samples as text, in the order of the page. */
  function finished(recorded: ReadonlyMap<string, unknown>): Map<string, string> {
    const normaliser = new Normaliser(began);
    const normalised = new Map<string, unknown>();
    const shown = [...page.samples()];
    // Those first that the page shows already: a new sample changes no id of theirs.
    for (const [name, sample] of [...shown.filter(([, text]) => text !== ''), ...shown]) {
      if (!normalised.has(name)) normalised.set(name, normaliser.normalise(name, recorded.get(name), sample));
    }
    const text = new Map([...normalised].map(([name, value]) => [name, pretty(value)]));
    text.set('request', requestWith(String(normalised.get('request')), JSON.stringify(normalised.get('message.sent'))));
    // The recorded URL is on loopback, and the generated secret changes with every run.
    for (const [name, sample] of text) {
      text.set(
        name,
        sample
          .replace(receiver.url('/webhooks'), URL_OF_PAGE)
          .replace(
            /"secret": "whsec_[\w+/]{43}="/,
            `"secret": "whsec_${Buffer.alloc(32, 'sample').toString('base64')}"`,
          ),
      );
    }
    return text;
  }

  /** A complete request, signed with the secret of the page. */
  function requestWith(webhookId: string, body: string): string {
    const { hostname, pathname } = new URL(URL_OF_PAGE);
    const at = new Date('2026-01-31T09:30:00Z');
    const headers = deliveryHeaders(webhookId, at, Buffer.from(body), { current: creation().secret, replaced: [] });
    const lines = Object.entries({ host: hostname, ...headers, 'content-length': Buffer.byteLength(body) });
    return [`POST ${pathname} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body, ''].join('\n');
  }

  it('shows every event and every other answer as sent', async () => {
    const recorded = await record();
    // RECORD_SAMPLES=1 writes them into the page.
    if (process.env['RECORD_SAMPLES']) page.record(recorded);
    const events = Object.fromEntries(
      [...new Manifest(ROOMS).events.keys()].map((kind) => [kind, JSON.parse(recorded.get(kind) ?? 'null')]),
    );
    if (process.env['RECORD_SAMPLES']) recordExamples({ events });
    expect(recordedExamples().events).toEqual(events);
    expect(Object.fromEntries(page.samples())).toEqual(Object.fromEntries(recorded));
    expect(KINDS.filter((kind) => !recorded.has(kind))).toEqual([]);
  });

  it('lists exactly the existing events', () => {
    const listed = page.rowsUnder('## Events').map(([name = '']) => /`(.*)`/.exec(name)?.[1]);
    expect(listed).toEqual(KINDS);
  });

  it('lists the headers of a delivery, and shows those of its connection in the example', () => {
    const [received] = receiver.received as [Received];
    const sent = Object.keys(received.headers).filter((name) => name !== 'connection');
    const request = page.samples().get('request') ?? '';
    const shown = [...request.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());
    expect(shown.sort()).toEqual(sent.sort());
    const documented = page.rowsUnder('## A delivery').map(([name = '']) => name.slice(1, -1).toLowerCase());
    expect([...documented, 'content-length', 'host'].sort()).toEqual(sent.sort());
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Parley-Webhook/1.0' });
  });

  it('lists the settings with their defaults and ranges', () => {
    const rows = new Map(page.rowsUnder('## Endpoints').map(([name = '', preset, range]) => [name, { preset, range }]));
    expect([...rows.keys()]).toEqual(
      ['url', 'secret', 'subscribed_events', 'retry_count', 'timeout', 'headers'].map((name) => `\`${name}\``),
    );
    const { min, max, default: usual } = RETRY_COUNT;
    expect(rows.get('`retry_count`')).toEqual({
      preset: String(usual),
      range: `${min} to ${max} retries after the first attempt`,
    });
    expect(rows.get('`timeout`')).toEqual({
      preset: String(TIMEOUT.default),
      range: `${TIMEOUT.min} to ${TIMEOUT.max} seconds`,
    });
    expect(rows.get('`secret`')?.range).toContain(`${SECRET.min} to ${SECRET.max} characters`);
  });

  it('says what happens to a delivery after each answer', () => {
    const outcomes = {
      delivered: 'delivered',
      refused: 'failed',
      gone: 'failed, and the endpoint is disabled',
    } as const;
    const rows = page.rowsUnder('## Answering');
    const rowFor = (status: number | null): string | undefined => {
      const names =
        status === null
          ? [/^none:/]
          : [new RegExp(`^${status}$`), new RegExp(`^any (other )?${Math.floor(status / 100)}xx$`)];
      for (const name of names) {
        const row = rows.find(([answer = '']) => name.test(answer));
        if (row !== undefined) return row[1]?.split(';')[0];
      }
      return undefined;
    };
    for (const status of [null, ...Array.from({ length: 400 }, (_, index) => index + 200)]) {
      const verdict = judgeResponse(status);
      expect([status, rowFor(status)]).toEqual([status, verdict === 'retryable' ? 'retried' : outcomes[verdict]]);
    }
  });

  it('lists the retry delays', () => {
    const [, table = ''] =
      /(\| Retry \| 1 [\s\S]*?\n\n)/.exec(page.matches(/\| Retry \| 1 [\s\S]*?\n\n/)?.[0] ?? '') ?? [];
    const waits = table.split('\n')[2]?.split('|').slice(2, -1).map(Number);
    expect(waits).toEqual(
      Array.from({ length: RETRY_COUNT.max }, (_, index) => deliveryRetryDelayMs(index + 1, null, 0) / 1000),
    );
    expect(deliveryRetryDelayMs(1, null, 1)).toBe(1200);
  });

  it('states the service’s limits and intervals', () => {
    const { webhookEndpointLimit, retentionDays } = loadEnvironment(
      MANIFEST,
      serviceEnvironment('postgres://127.0.0.1/x'),
    );
    for (const sentence of [
      `at most ${webhookEndpointLimit} endpoints`,
      `kept for ${retentionDays} days`,
      `at most ${retentionDays} days back`,
      `expires after ${ROTATION_MS / HOUR} hours`,
      `most ${MAX_SIGNING_SECRETS} secrets sign`,
      `At most ${OWN_HEADERS.max} headers, with names of at most ${OWN_HEADERS.nameLength} and values of 1 to 1,000`,
      `base64 of ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes`,
      `${FAILURE_EVIDENCE.deliveries} deliveries have failed since its last success, the first of them ${FAILURE_EVIDENCE.spanMs / DAY} days`,
      `follows it up to ${MAX_RETRY_AFTER_MS / HOUR} hour`,
      `up to ${ENDPOINT_LIMIT.max} deliveries at once`,
    ]) {
      expect(page.prose).toContain(sentence);
    }
    expect(ENDPOINT_LIMIT.min).toBe(1);
  });

  it('contains working commands', async () => {
    const tenant = await world.account();
    const seen = receiver.received.length;
    const script = page
      .blocks('bash')
      .map((block, index) => `echo "== ${index}"\n${block}`)
      .join('')
      .replace(URL_OF_PAGE, receiver.url('/commands'))
      // Wait for the test event before the next command, as a reader would.
      .replace(
        /^api -X POST .*\/redeliver"$/m,
        'until api "$URL/api/v1/webhooks/$WEBHOOK" | grep -q \'"pending":0\'; do sleep 0.1; done\n$&',
      );
    const shell = new Shell(`set -eu\n${script}`, { URL: world.baseUrl, KEY: tenant.apiKey });
    const patience = setTimeout(() => shell.end(), PATIENCE_MS);
    const code = await shell.exit.finally(() => clearTimeout(patience));
    expect({ code, output: shell.output }).toEqual({ code: 0, output: expect.not.stringContaining('"error":"') });
    const blocks = shell.output.split(/^== \d+\n/m).slice(1);
    expect(blocks.map((output) => /"message":"([^"]*)"/.exec(output)?.[1])).toEqual([
      undefined,
      undefined,
      'Secret rotated',
      'Test event queued',
      undefined,
      undefined,
      'Delivery queued again',
      'Replay started',
    ]);
    await until('the test has arrived twice', () => receiver.received.length >= seen + 2);
  });

  it('shows which URLs are rejected', async () => {
    const closed = await World.start({ env: { EGRESS_ALLOW: '', PARLEY_ROLES: 'api' } });
    try {
      const { api } = await closed.account();
      for (const [url = '', reason] of page.rowsUnder('## Where webhooks may go')) {
        const { status, body } = await api.post('/api/v1/webhooks/', { url: url.slice(1, -1) });
        expect({ url, status, body }).toEqual({
          url,
          status: 400,
          body: { error: 'bad_request', message: `url ${reason}` },
        });
      }
    } finally {
      await closed.stop();
    }
  });
});
