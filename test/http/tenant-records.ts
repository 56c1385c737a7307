import { issueKey } from '../../src/accounts/api-key.js';
import { newRecordId } from '../../src/values/record-id.js';
import { draft } from '../campaigns/campaigns.js';
import { enrol } from '../conversations/conversations.js';
import { openWindow } from '../messages/messages.js';
import { EXTENSION_RECORDS, withExtensions } from '../support/extension-records.js';
import type { TenantRecords } from '../support/module-records.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { deliveriesOf, subscribe } from '../webhooks/events.js';
import { filePastDeliveries } from '../webhooks/past-deliveries.js';
import type { DescribedRoute } from './routes.js';

/** Names in paths, queries and bodies that refer to a record, and the value of {@link TenantRecords} they take. */
export const REFERENCES = withExtensions('references', {
  around: 'message_id',
  agent_user_id: 'user_id',
  assigned_to: 'user_id',
  campaign_id: 'campaign_id',
  contact_id: 'contact_id',
  contact_ids: 'contact_id',
  contact_phone: 'contact_phone',
  delivery_id: 'delivery_id',
  group_id: 'group_id',
  group_ids: 'group_id',
  key_id: 'key_id',
  message_id: 'message_id',
  'reaction.message_id': 'message_id',
  reply_to: 'message_id',
  saved_reply_id: 'saved_reply_id',
  subject_id: 'webhook_id',
  template_id: 'template_id',
  template_name: 'template_name',
  user_id: 'user_id',
  waba_phone_id: 'waba_phone_id',
  webhook_id: 'webhook_id',
});

/** What makes a body refer to a record within one of its objects, by the reference. */
export const NESTED: Readonly<Record<string, (id: string) => object>> = {
  'reaction.message_id': (message_id) => ({ message_type: 'reaction', reaction: { message_id, emoji: '👍' } }),
};

/** Names that look like references to our records but are not, with what they are. */
export const NO_REFERENCES = withExtensions('noReferences', {
  app_id: 'an id of the network',
  phone_number_id: 'an id of the network',
  waba_id: 'an id of the network',
  'buttons.reply_buttons[].id': 'chosen by the customer',
  'buttons[].flow_id': 'an id of the network',
  'cards[].buttons[].flow_id': 'an id of the network',
  'contacts[].phones[].wa_id': 'an id of the network',
  contact_user_id: 'an id of the network',
  'entry[].id': 'an id of the network',
  // A template that has no place for the file does not ask for it; test/media/sending-uploads.spec.ts has foreign ones.
  media_id: 'an uploaded file',
  'carousel_data[].media_id': 'an uploaded file',
  'cards[].media_id': 'an uploaded file',
  organisation_id: 'of somebody who signs in; test/sessions has foreign ones',
  session_id: 'of a person, not of an account; test/sessions has foreign ones',
  'list.sections[].rows[].id': 'chosen by the customer',
  'send_window.to': 'a time of day',
});

const LOOKS_LIKE_REFERENCE = /(^|[._])(ids?|to|by|template_name|contact_phone)$/;

/** Bodies of valid requests, by route: every route with a JSON body needs one. */
export const SAMPLES = withExtensions('bodies', {
  'POST /api/v1/api-keys': () => ({ name: 'Orders', scopes: ['contacts:read'] }),
  'POST /api/v1/api-keys/:key_id/rotate': () => ({ overlap_seconds: 60 }),
  // Reaches the network with an expired token, so that nothing is stored.
  'POST /api/v1/business-phones/connect': () => ({ phone_number_id: '1', waba_id: '2', token: 'expired' }),
  'PATCH /api/v1/business-phones/:waba_phone_id': () => ({ waba_id: '3' }),
  'POST /api/v1/campaigns': (own) => ({
    name: 'Autumn',
    template_name: own.template_name,
    group_ids: [own.group_id],
    waba_phone_id: own.waba_phone_id,
  }),
  'POST /api/v1/campaigns/:campaign_id/retry-failed': () => ({ include: ['marketing_cap'] }),
  'POST /api/v1/contacts': () => ({ phone_number: uniquePhone(), first_name: 'Ada', tags: ['vip'] }),
  'PATCH /api/v1/contacts/:contact_id': () => ({ first_name: 'Grace', tags: [], opted_in: true }),
  'POST /api/v1/conversations/:contact_phone/assign': (own) => ({ user_id: own.user_id, note: 'Please' }),
  'POST /api/v1/conversations/:contact_phone/unassign': () => ({}),
  'POST /api/v1/conversations/:contact_phone/read': () => ({ typing: true }),
  'POST /api/v1/conversations/:contact_phone/notes': () => ({ text: 'Call back' }),
  'POST /api/v1/conversations/:contact_phone/reopen': () => ({}),
  'POST /api/v1/conversations/:contact_phone/resolve': () => ({ reason: 'Done' }),
  'POST /api/v1/groups': (own) => ({ name: `Group ${newRecordId()}`, contact_ids: [own.contact_id] }),
  'PATCH /api/v1/groups/:group_id': () => ({ name: `Group ${newRecordId()}`, tags: ['a'] }),
  'POST /api/v1/groups/:group_id/contacts': (own) => ({ contact_ids: [own.contact_id] }),
  'DELETE /api/v1/groups/:group_id/contacts': (own) => ({ contact_ids: [own.contact_id] }),
  'POST /api/v1/messages/send': (own) => ({ template_name: own.template_name, contact_phone: own.contact_phone }),
  'POST /api/v1/messages/send-message': (own) => ({
    contact_phone: own.contact_phone,
    message_type: 'text',
    message: 'Hello',
  }),
  'POST /api/v1/saved-replies': () => ({ name: `Reply ${newRecordId()}`, text: 'Hello {{first_name}}' }),
  'PATCH /api/v1/saved-replies/:saved_reply_id': () => ({ text: 'Good morning' }),
  'POST /api/v1/session': () => ({ email: 'olive@shop.example', password: 'correct horse battery' }),
  'POST /api/v1/session/password': () => ({ next: 'seven quiet garden lamps' }),
  'POST /api/v1/templates/create': () => ({
    name: `t_${newRecordId().replaceAll('-', '')}`,
    category: 'UTILITY',
    body: { text: 'Hello from the test' },
  }),
  'POST /api/v1/templates/create-carousel': () => ({
    name: `t_${newRecordId().replaceAll('-', '')}`,
    body: { text: 'Hello from the test' },
    cards: [1, 2].map((n) => ({
      header_format: 'IMAGE',
      media_url: 'http://127.0.0.1:1/a.jpg',
      body_text: `Card ${n}`,
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    })),
  }),
  'POST /api/v1/templates/preview': (own) => ({ template_name: own.template_name, body_data: {} }),
  'POST /api/v1/webhooks': () => ({ url: 'http://127.0.0.1:1/hook', subscribed_events: ['message.sent'] }),
  'PATCH /api/v1/webhooks/:webhook_id': () => ({ retry_count: 1, timeout: 5 }),
  'POST /api/v1/webhooks/:webhook_id/rotate-secret': () => ({ secret: 'a new secret' }),
  'POST /api/v1/webhooks/:webhook_id/replay': () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
  'POST /network/callbacks': (own) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: own.network_account_id,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { phone_number_id: own.network_phone_id },
              contacts: [{ wa_id: own.contact_phone, profile: { name: 'Ada' } }],
              messages: [{ from: own.contact_phone, id: `wamid.${newRecordId()}`, type: 'text', text: { body: 'Hi' } }],
            },
          },
        ],
      },
    ],
  }),
  'POST /network/callbacks/:app_id': () => ({ object: 'whatsapp_business_account', entry: [] }),
});

const WHERE = 'of test/http/tenant-records.ts, or of the extension’s tests/records.ts';

/** What the tables above do not know about the routes; empty when they are complete. */
export function gapsIn(routes: readonly DescribedRoute[]): string[] {
  return routes.flatMap(({ key, inPath, inQuery, inBody }) => {
    const fields = [...inPath, ...[...inQuery, ...inBody].filter((name) => LOOKS_LIKE_REFERENCE.test(name))];
    const unknown = fields.filter((name) => !(name in REFERENCES || name in NO_REFERENCES));
    return [
      ...unknown.map((name) => `${key}: ${name} is neither among the references nor the noReferences ${WHERE}`),
      ...(inBody.length > 0 && !(key in SAMPLES) ? [`${key}: there is no valid body among the bodies ${WHERE}`] : []),
    ];
  });
}

/** Gives the account another API key. @returns its id */
export async function insertKey(world: World, { accountId }: Pick<TestAccount, 'accountId'>): Promise<string> {
  const id = newRecordId();
  const { prefix, secretHash } = issueKey();
  await world.unitOfWork.autocommit.affected(
    `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, rate_limit, idempotency_family)
     VALUES ($1, $2, 'second', $3, $4, $5, 100, $2)`,
    [accountId, id, prefix, secretHash, ['contacts:read']],
  );
  return id;
}

/** Gives the account a record of every kind. The world should have the api role only, so that nothing changes later. */
export async function withRecords(world: World, account: TestAccount): Promise<TenantRecords> {
  await world.simulator.behave({ statuses: [] });
  const { api, accountId, phone } = account;
  const created = async (path: string, body: Record<string, unknown>) => {
    const { status, text, body: answer } = await api.post(`/api/v1/${path}`, body);
    if (status > 201) throw new Error(`${path}: ${text}`);
    return answer as Record<string, { id: string }> & { message_id: string };
  };
  const contact_phone = uniquePhone();
  const { contact } = await created('contacts/', { phone_number: contact_phone, first_name: `Ada ${accountId}` });
  const contact_id = String(contact?.id);
  const { group } = await created('groups/', { name: `Group of ${accountId}`, contact_ids: [contact_id] });
  const { saved_reply } = await created('saved-replies/', { name: `Reply of ${accountId}`, text: 'Hello' });
  const template = await approvedTemplate(world, account);
  await openWindow(world, phone, contact_phone);
  const { message_id } = await created('messages/send', { template_name: template.name, contact_phone });
  // Written beside the send, so it may come after the answer.
  await until('the use of the template is noted', () =>
    world.unitOfWork.autocommit.row('SELECT 1 AS noted FROM template_looks WHERE account_id = $1 LIMIT 1', [accountId]),
  );
  const webhook_id = await subscribe(account, { url: 'http://127.0.0.1:1/hook' });
  await filePastDeliveries(world, account, webhook_id, 1, ['a']);
  const key_id = await insertKey(world, account);
  const values: Record<string, string> = {
    campaign_id: await draft(account, template.name, [contact_phone]),
    contact_id,
    contact_phone,
    delivery_id: String((await deliveriesOf(account, webhook_id))[0]?.id),
    group_id: String(group?.id),
    key_id,
    message_id,
    network_account_id: phone.wabaId,
    network_phone_id: phone.phoneNumberId,
    saved_reply_id: String(saved_reply?.id),
    template_id: template.id,
    template_name: template.name,
    user_id: await enrol(world, account, `Agent of ${accountId}`),
    waba_phone_id: phone.id,
    webhook_id,
  };
  for (const { create } of EXTENSION_RECORDS) Object.assign(values, await create?.(world, account, values));
  return { account, values };
}
