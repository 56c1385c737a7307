import { EVENT_KINDS } from '../../src/outbox/event.js';
import { Outbox } from '../../src/outbox/outbox.js';
import { act, enrol } from '../conversations/conversations.js';
import { sendCampaign } from '../messages/campaign-messages.js';
import { openWindow, recordOf, report, SEND_MESSAGE } from '../messages/messages.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { emit, event, markOf, subscribe } from './events.js';
import { Receiver } from './receiver.js';

const QUICK_REPLIES = { buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] };
const UNDELIVERABLE = [{ code: 131026, title: 'Message undeliverable' }];

const ABOUT_CAMPAIGN = ['campaign_id', 'campaign_name'];
const STATUS = [
  ...['message_id', 'contact_phone', 'contact_name', 'status', 'previous_status', 'status_timestamp'].map(
    (field) => `message.${field}`,
  ),
  ...ABOUT_CAMPAIGN,
];
const CONVERSATION = [
  ...['contact_phone', 'waba_phone_id', 'status', 'assigned_to', 'assigned_to_name', 'previous_assignee_id'],
  ...['previous_assignee_name', 'is_reassignment', 'note', 'reason', 'actor.user_id', 'actor.name', 'actor.source'],
].map((field) => `conversation.${field}`);

/** The fields of each kind besides `event` and `timestamp`, by path. */
const FIELDS: Record<(typeof EVENT_KINDS)[number], readonly string[]> = {
  'message.sent': STATUS,
  'message.delivered': STATUS,
  'message.read': STATUS,
  'message.failed': [...STATUS, 'message.error_message', 'message.error_code'],
  'button.clicked': [
    ...ABOUT_CAMPAIGN,
    ...['message.message_id', 'message.contact_phone', 'message.contact_name', 'button.id', 'button.text'],
    'button.type',
  ],
  'message.received': [
    ...['message_id', 'contact_phone', 'contact_name', 'content', 'message_type', 'timestamp', 'waba_phone_id'],
    ...['is_reply', 'is_from_ad'],
  ].map((field) => `message.${field}`),
  'message.reply': [
    ...ABOUT_CAMPAIGN,
    ...['message_id', 'contact_phone', 'contact_name', 'sent_at'].map((field) => `original_message.${field}`),
    ...['message_id', 'contact_phone', 'contact_name', 'content', 'message_type', 'timestamp'].map(
      (field) => `reply.${field}`,
    ),
  ],
  'conversation.assigned': CONVERSATION,
  'conversation.unassigned': CONVERSATION,
  'conversation.resolved': CONVERSATION,
  'conversation.reopened': CONVERSATION,
};

const pathsOf = (value: object): string[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null ? pathsOf(inner).map((path) => `${key}.${path}`) : [key],
  );

describe('webhook events', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [], status_delay_ms: 10 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  it('have eleven kinds, each with exactly the documented fields, and the bytes of the log', async () => {
    await subscribe(account, { url: receiver.url() });
    const contact = uniquePhone();
    const reportOf = (id: unknown, status: string) =>
      report(world, account.phone.phoneNumberId, {
        id: String(id),
        status,
        ...(status === 'failed' ? { errors: UNDELIVERABLE } : {}),
      });

    await openWindow(world, account.phone, contact);
    const campaign = await sendCampaign(world, account, [contact], QUICK_REPLIES);
    const networkId = campaign.messages[0]?.networkId;
    for (const status of ['delivered', 'read']) await reportOf(networkId, status);
    const tap = { type: 'button', payload: 'yes', text: 'Yes', context_id: networkId };
    await openWindow(world, account.phone, contact, tap);
    const single = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    const { body } = await account.api.post(SEND_MESSAGE, single);
    await reportOf((await recordOf(account, body['message_id'])).network_message_id, 'failed');
    await act(account, 'assign', contact, { user_id: await enrol(world, account, 'Ada Agent') });
    for (const action of ['resolve', 'reopen', 'unassign'] as const) await act(account, action, contact);

    const logged = await world.unitOfWork.autocommit.rows<{ id: string; kind: string; body: string }>(
      'SELECT id, kind, body FROM events WHERE account_id = $1',
      [account.accountId],
    );
    expect(new Set(logged.map(({ kind }) => kind))).toEqual(new Set(EVENT_KINDS));
    await until('all have arrived', () => receiver.received.length >= logged.length);
    expect(receiver.received).toHaveLength(logged.length);
    for (const { headers, body: bytes } of receiver.received) {
      const { kind, body: text } = logged.find(({ id }) => id === headers['webhook-id']) ?? { kind: '', body: '' };
      expect(bytes.toString('utf8')).toBe(text);
      const payload = JSON.parse(text) as { event: string };
      expect(payload.event).toBe(kind);
      const fields = ['event', 'timestamp', ...(FIELDS[kind as keyof typeof FIELDS] ?? [])];
      expect(pathsOf(payload).sort()).toEqual(fields.sort());
    }
  });

  it('are not emitted for a change that was rolled back', async () => {
    await subscribe(account, { url: receiver.url() });
    const outbox = world.parley.app.get(Outbox);
    const undone = world.unitOfWork.transaction(async (tx) => {
      await outbox.write([event(account, 'undone')], tx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    outbox.announce();
    await emit(world, [event(account, 'done')]);
    await until('an event has arrived', () => receiver.received.length > 0);
    expect(receiver.received.map(({ body }) => markOf(body))).toEqual(['done']);
  });
});
