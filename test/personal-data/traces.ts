import { newRecordId } from '../../src/values/record-id.js';
import { act, enrol } from '../conversations/conversations.js';
import { deliver } from '../inbound/inbound.js';
import { report, SEND, SEND_MESSAGE, untilStatus } from '../messages/messages.js';
import { EXTENSION_RECORDS } from '../support/extension-records.js';
import type { RecordValues } from '../support/module-records.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, type World } from '../support/world.js';
import { deliveriesOf, subscribe } from '../webhooks/events.js';
import type { Receiver } from '../webhooks/receiver.js';

/** A person with data in every place where an account stores personal data. */
export interface Traces {
  readonly contactId: string;
  readonly phone: string;
  readonly userId: string;
  /** Texts that occur only in data about this person. */
  readonly needles: readonly string[];
  /** Idempotency keys of requests about the person, with their requests. */
  readonly keyed: readonly { readonly key: string; readonly path: string; readonly body: unknown }[];
  readonly webhookId: string;
  readonly campaignId: string;
  readonly messageId: string;
  readonly groupId: string;
  readonly templateId: string;
  /** Of records of extensions, by the names of parameters in paths. */
  readonly values: RecordValues;
}

/** Delivers a message from the person; its network id contains their number. */
export function written({ phone, userId, needles }: Pick<Traces, 'phone' | 'userId' | 'needles'>, text: string) {
  const [, , , first, last] = needles;
  return {
    contacts: [{ wa_id: phone, user_id: userId, profile: { name: `${first} ${last}` } }],
    messages: [
      {
        id: networkIdOf(phone),
        from: phone,
        from_user_id: userId,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: text },
      },
    ],
  };
}

/** Delivers a message from the person while no worker runs, so that its events wait in the outbox. */
export async function writeOnceMore(world: World, account: TestAccount, person: Traces): Promise<void> {
  const text = person.needles.find((needle) => needle.startsWith('inbound')) ?? '';
  const status = await deliver(world, account.phone, written(person, text));
  if (status !== 200) throw new Error(`the callback was answered ${status}`);
}

const networkIdOf = (phone: string): string => `wamid.${Buffer.from(phone).toString('base64url')}${uniqueDigits()}`;

/** Creates a person with traces everywhere; `receiver` echoes what it is sent. */
export async function leaveTraces(world: World, account: TestAccount, receiver: Receiver): Promise<Traces> {
  const { api } = account;
  const mark = uniqueDigits();
  const phone = uniquePhone();
  const waId = uniquePhone();
  const formerWaId = uniquePhone();
  const userId = `US.9${mark}`;
  const marked = (what: string): string => `${what}${mark}`;
  const first = marked('Zebulon');
  const last = marked('Quillfeather');
  const email = `${first}.${last}@example.test`.toLowerCase();
  const needles = [
    phone,
    waId,
    userId,
    first,
    last,
    email,
    ...['company', 'tag', 'username', 'inbound', 'sent', 'personal', 'note', 'reason', 'reference', 'broken'].map(
      marked,
    ),
    formerWaId,
    Buffer.from(phone).toString('base64url'),
  ];
  const networkId = () => networkIdOf(phone);
  const keyed: { key: string; path: string; body: unknown }[] = [];
  const post = async (path: string, body: unknown, expected = 200): Promise<Record<string, unknown>> => {
    const key = `${newRecordId()}-${phone}`;
    const answer = await api.post(path, body, { headers: { 'idempotency-key': key } });
    if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    keyed.push({ key, path, body });
    return answer.body;
  };

  const webhookId = await subscribe(account, { url: receiver.url(), retry_count: 0 });
  const created = await post(
    '/api/v1/contacts/',
    {
      phone_number: phone,
      first_name: first,
      last_name: last,
      email,
      company: marked('company'),
      tags: [marked('tag')],
    },
    201,
  );
  const contactId = (created['contact'] as { id: string }).id;
  const group = await post('/api/v1/groups/', { name: `group ${newRecordId()}`, contact_ids: [contactId] }, 201);

  const message = { from: phone, from_user_id: userId, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text' };
  const profile = { name: `${first} ${last}`, username: marked('username') };
  const contacts = [{ wa_id: phone, user_id: userId, profile }];
  const write = (more: Record<string, unknown>, phoneNumberId = account.phone.phoneNumberId) =>
    deliver(world, { ...account.phone, phoneNumberId }, { contacts, messages: [{ ...message, ...more }] });
  await write({ id: networkId(), text: { body: marked('inbound') } });
  await write({ id: undefined, text: { body: marked('inbound') } });
  await write({ id: networkId(), text: { body: marked('inbound') } }, '404404404');
  await write({
    id: networkId(),
    type: 'document',
    document: { id: marked('inbound'), mime_type: 'application/pdf', filename: `${marked('inbound')}.pdf` },
  });
  // What a network that quotes its users could say.
  await world.unitOfWork.autocommit.affected(
    `UPDATE media_files SET status = 'refused', mime_type = $2, sha256 = $2, reason = $2, leased_until = NULL
     WHERE account_id = $1`,
    [account.accountId, marked('broken')],
  );
  await report(world, account.phone.phoneNumberId, {
    id: networkId(),
    status: 'delivered',
    recipient_id: phone,
  } as Parameters<typeof report>[2]);

  const alice = await enrol(world, account, 'Alice Agent');
  const bob = await enrol(world, account, 'Bob Agent');
  await act(account, 'assign', phone, { user_id: alice });
  await act(account, 'assign', phone, { user_id: bob, note: marked('note') });
  await act(account, 'resolve', phone, { reason: marked('reason') });
  await post(`/api/v1/conversations/${phone}/reopen`, undefined);

  const free = await post(SEND_MESSAGE, {
    contact_phone: phone,
    message_type: 'text',
    message: marked('sent'),
    reference: marked('reference'),
  });
  for (const number of [formerWaId, waId]) {
    await world.unitOfWork.autocommit.affected('UPDATE contacts SET wa_id = $3 WHERE account_id = $1 AND id = $2', [
      account.accountId,
      contactId,
      number,
    ]);
  }
  const template = await approvedTemplate(world, account, {
    body: { text: 'Hello {{1}}, welcome.', examples: { '1': 'Ada' } },
  });
  const single = await post(SEND, { template_name: template.name, contact_phone: phone, body_data: { '1': first } });
  await untilStatus(account, single['message_id'], 'sent');
  await report(world, account.phone.phoneNumberId, {
    id: networkId(),
    status: 'failed',
    biz_opaque_callback_data: String(single['message_id']),
    errors: [{ code: 131026, title: `${phone} is no user`, message: marked('broken') }],
  });
  const campaign = async (): Promise<string> => {
    const { campaign_id } = await post('/api/v1/campaigns/', {
      name: 'Welcome',
      template_name: template.name,
      contacts: [
        { phone, body_data: { '1': marked('personal') }, reference: marked('reference') },
        { phone: uniquePhone(), body_data: { '1': 'friend' } },
      ],
    });
    return String(campaign_id);
  };
  const campaignId = await campaign();
  await api.post(`/api/v1/campaigns/${campaignId}/send`);
  await until('the campaign is completed', async () => {
    const { body } = await api.get(`/api/v1/campaigns/${campaignId}/stats`);
    return body['campaign_status'] === 'completed';
  });
  const cancelled = await campaign();
  await api.post(`/api/v1/campaigns/${cancelled}/cancel`);
  await campaign();
  await until('everything was delivered', async () => {
    const all = await deliveriesOf(account, webhookId);
    return all.length > 8 && all.every(({ status }) => status !== 'pending');
  });
  const values: Record<string, string> = {};
  for (const { leaveTraces: leave } of EXTENSION_RECORDS) {
    Object.assign(values, await leave?.(world, account, { contactId, phone, needles }));
  }
  return {
    contactId,
    phone,
    userId,
    needles,
    keyed,
    webhookId,
    campaignId,
    messageId: String(free['message_id']),
    groupId: (group['group'] as { id: string }).id,
    templateId: template.id,
    values,
  };
}
