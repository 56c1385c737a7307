import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPartitions, PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { DAY } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { countersOf, sendCampaign } from '../messages/campaign-messages.js';
import { eventsOf, openWindow, recordOf, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { deliver } from './inbound.js';

/** A message id as the network builds it: the same message has another one for each form of its peer's identity. */
function structuredId(peer: string, token: string): string {
  const kind = peer.includes('.') ? 0x14 : 0x02;
  const bytes = [0x1c, 0x18, peer.length, ...Buffer.from(peer), 0x15, kind, 0x00, 0x11];
  return `wamid.${Buffer.from([...bytes, 0x18, token.length, ...Buffer.from(token), 0x00]).toString('base64')}`;
}

const newToken = (): string => uniqueDigits().padStart(18, 'E');
const QUICK_REPLY = { buttons: [{ type: 'QUICK_REPLY', text: 'Tell me more' }] };
const TAP = { type: 'button', button: { payload: 'Tell me more', text: 'Tell me more' } };
const PLAIN = { type: 'text', text: { body: 'Yes' } };

/** The simulator, behind a relay that gives the messages it accepts structured ids. */
class RelayedNetwork {
  /** The token of the message that is accepted next. */
  token = newToken();
  /** To whom its id is scoped, if not to the number that it is sent to. */
  peer: string | null = null;
  simulator = '';

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers, url } = request;
    const sent = Buffer.concat(chunks);
    const answer = await fetch(this.simulator + url, {
      method,
      headers: { authorization: `${headers.authorization}`, 'content-type': `${headers['content-type']}` },
      ...(sent.length > 0 && { body: sent }),
    });
    const body = (await answer.json()) as { messages?: { id: string }[] };
    const [accepted] = method === 'POST' && url?.endsWith('/messages') ? (body.messages ?? []) : [];
    if (accepted !== undefined) accepted.id = structuredId(this.peer ?? JSON.parse(sent.toString()).to, this.token);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

describe('an inbound message that names ours by the id scoped to its sender’s user id', () => {
  const relayed = new RelayedNetwork();
  let relay: LoopbackServer;
  let world: World;
  let account: TestAccount;
  let contact: string;
  let userId: string;
  let named: string;

  beforeAll(async () => {
    relay = await LoopbackServer.start((request, response) => {
      relayed.answer(request, response).catch(() => response.writeHead(500).end());
    });
    world = await World.start({ env: { NETWORK_BASE_URL: relay.url('') } });
    relayed.simulator = world.simulator.url;
  });
  afterAll(async () => {
    await world.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [] });
    account = await world.account({ phones: 2 });
    contact = uniquePhone();
    userId = `EG.${uniqueDigits()}`;
    relayed.token = newToken();
    relayed.peer = null;
    named = structuredId(userId, relayed.token);
  });

  const about = (id: string) => ({ context: { id } });
  const receive = (message: Record<string, unknown>, phone = account.phone): Promise<number> =>
    deliver(world, phone, {
      contacts: [{ wa_id: contact, user_id: userId, profile: { name: 'Sami' } }],
      messages: [
        {
          from: contact,
          from_user_id: userId,
          id: `wamid.${uniqueDigits()}`,
          timestamp: String(secondsAgo(0)),
          ...message,
        },
      ],
    });
  /** Sends the contact a free-form message; returns our id. */
  async function sentText(): Promise<string> {
    await openWindow(world, account.phone, contact);
    return sentAgain();
  }
  async function sentAgain(): Promise<string> {
    const fields = { contact_phone: contact, message_type: 'text', message: 'Shall we?' };
    const { status, text, body } = await account.api.post(SEND_MESSAGE, fields);
    if (status !== 200) throw new Error(text);
    return String(body['message_id']);
  }
  /** The kinds of the events about the last message received, without those about sending. */
  async function lastReceived(): Promise<{ kinds: string[]; isReply: unknown; original: unknown }> {
    const events = await eventsOf(world, account);
    const last = events.slice(events.findLastIndex(({ event }) => event === 'message.received'));
    const partOf = (kind: string, name: string) =>
      last.find(({ event }) => event === kind)?.[name] as Record<string, unknown> | undefined;
    return {
      kinds: last.map(({ event }) => event).filter((kind) => /^(message\.re|button)/.test(kind)),
      isReply: partOf('message.received', 'message')?.['is_reply'],
      original: partOf('message.reply', 'original_message')?.['message_id'],
    };
  }
  const NO_REPLY = { kinds: ['message.received'], isReply: false, original: undefined };
  const REPLY = ['message.received', 'message.reply'];

  it.each([
    ['a quoting text', () => ({ ...PLAIN, ...about(named) }), REPLY],
    ['a tap on a template’s quick reply', () => ({ ...TAP, ...about(named) }), [...REPLY, 'button.clicked']],
    [
      'a tap on a reply button',
      () => ({
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
        ...about(named),
      }),
      [...REPLY, 'button.clicked'],
    ],
    ['a reaction', () => ({ type: 'reaction', reaction: { message_id: named, emoji: '👍' } }), REPLY],
  ])('answers it: %s', async (_, message, kinds) => {
    const original = await sentText();
    expect(await receive(message())).toBe(200);
    expect(await lastReceived()).toEqual({ kinds, isReply: true, original });
    const clicked = kinds.includes('button.clicked');
    expect(await recordOf(account, original)).toMatchObject({ status: clicked ? 'clicked' : 'sent' });
  });

  it('counts as reply and click of a campaign', async () => {
    const campaign = await sendCampaign(world, account, [contact], QUICK_REPLY);
    await receive({ ...TAP, ...about(named) });
    const [message] = campaign.messages;
    expect(await lastReceived()).toMatchObject({ isReply: true, original: message?.id });
    expect(await recordOf(account, message?.id)).toMatchObject({ status: 'clicked' });
    expect(await countersOf(account, campaign.id)).toMatchObject({ replied_count: 1, clicked_count: 1 });
  });

  it('answers the one that it names, not the campaign message that it follows', async () => {
    const original = await sentText();
    relayed.token = newToken();
    const campaign = await sendCampaign(world, account, [contact], QUICK_REPLY);
    await receive({ ...PLAIN, ...about(named) });
    expect(await lastReceived()).toMatchObject({ isReply: true, original });
    expect(await countersOf(account, campaign.id)).toMatchObject({ replied_count: 0 });
  });

  it('is found by the exact id, too', async () => {
    const original = await sentText();
    await receive({ ...PLAIN, ...about(structuredId(contact, relayed.token)) });
    expect(await lastReceived()).toMatchObject({ isReply: true, original });
  });

  describe('answers nothing', () => {
    it('when two messages have the token', async () => {
      const first = await sentText();
      relayed.peer = 'EG.1';
      const second = await sentAgain();
      expect(await recordOf(account, second)).toMatchObject({
        network_message_id: structuredId('EG.1', relayed.token),
      });
      await receive({ ...TAP, ...about(named) });
      expect(await lastReceived()).toEqual(NO_REPLY);
      for (const id of [first, second]) expect(await recordOf(account, id)).toMatchObject({ status: 'sent' });
    });

    it('when another contact’s message has the token', async () => {
      const original = await sentText();
      contact = uniquePhone();
      await receive({ ...TAP, ...about(named) });
      expect(await lastReceived()).toEqual(NO_REPLY);
      expect(await recordOf(account, original)).toMatchObject({ status: 'sent' });
    });

    it('when another account’s message has the token', async () => {
      await sentText();
      account = await world.account();
      await receive({ ...TAP, ...about(named) });
      expect(await lastReceived()).toEqual(NO_REPLY);
    });

    it('when another phone’s message has the token', async () => {
      await sentText();
      await receive({ ...TAP, ...about(named) }, account.phones[1]);
      expect(await lastReceived()).toEqual(NO_REPLY);
    });

    it('when the contact’s own message has the token, or even the id', async () => {
      await sentText();
      const token = newToken();
      await receive({ ...PLAIN, id: structuredId(contact, token) });
      await receive({ ...PLAIN, ...about(structuredId(userId, token)) });
      expect(await lastReceived()).toEqual(NO_REPLY);
      await receive({ ...PLAIN, id: named });
      await receive({ ...PLAIN, ...about(named) });
      expect(await lastReceived()).toEqual(NO_REPLY);
    });

    it.each([
      ['nothing', ''],
      ['no id', 'wamid.'],
      ['an id without structure', 'wamid.unknown'],
      ['bytes', 'wamid.////'],
      ['zeros', `wamid.${'A'.repeat(10_000)}`],
      ['half an id', structuredId('EG.1', newToken()).slice(0, 30)],
      ['a pattern', '%'],
      ['an escape', '\\'],
      ['a quote', "wamid.' OR true --"],
    ])('when it names %s', async (_, id) => {
      await sentText();
      expect(await receive({ ...TAP, ...about(id) })).toBe(200);
      expect(await lastReceived()).toEqual(NO_REPLY);
    });
  });

  it.each([
    [29, true],
    [31, false],
  ])('answers a message %d days old: %s', async (days, isReply) => {
    const original = await sentText();
    const at = new Date(Date.now() - days * DAY);
    for (const table of PARTITIONED_TABLES.filter((each) => each.table === 'messages')) {
      await createPartitions(world.unitOfWork.pool, table, [partitionAt(table, at)]);
    }
    const past = '(left(record_id_bound($3::timestamptz)::text, 13) || substr(id::text, 14))::uuid';
    await world.unitOfWork.autocommit.affected(
      `UPDATE messages SET created_at = $3, id = ${past} WHERE account_id = $1 AND id = $2`,
      [account.accountId, original, at],
    );
    await receive({ ...PLAIN, ...about(named) });
    expect(await lastReceived()).toMatchObject({ isReply });
  });

  it('answers one of the contact’s newest thousand messages', async () => {
    await sentText();
    const ids = Array.from({ length: 999 }, () => newRecordId());
    await world.unitOfWork.autocommit.affected(
      `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status)
       SELECT $1, unnest($2::uuid[]), 'in', c.id, $4, 'text', 'received'
       FROM contacts c WHERE c.account_id = $1 AND c.phone_number = $3`,
      [account.accountId, ids, contact, account.phone.id],
    );
    await receive({ ...PLAIN, ...about(named) });
    expect(await lastReceived()).toMatchObject({ isReply: true });
    await receive({ ...PLAIN, ...about(named) });
    expect(await lastReceived()).toEqual(NO_REPLY);
  });
});
