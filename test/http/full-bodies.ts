import { newRecordId } from '../../src/values/record-id.js';
import { uniquePhone } from '../support/world.js';

// Bodies in which every field has a value, so that its limits hold: some fields exclude each other, and some have
// limits only beside others.

/** The URL of all files, which a test may replace. */
export const MEDIA = 'http://127.0.0.1:1/a.jpg';

/** An id that no file has. */
const FILE = '0190a000-0000-7000-8000-000000000000';

/** The name of all templates, which a test replaces. */
export const TEMPLATE_NAME = 'full_body';

const filling = {
  template_language: 'en_US',
  body_data: { '1': 'a' },
  header_data: { '1': 'b' },
  media_url: MEDIA,
  filename: 'a.pdf',
  location: { latitude: 1, longitude: 2, name: 'Shop', address: 'Street' },
  button_params: [{ index: 0, payload: 'b' }],
  carousel_data: [{ media_url: MEDIA, url_button_params: ['a'], button_payloads: ['b'] }],
  expiration_time_ms: 2_000_000_000_000,
};

/** The same with files that were uploaded. */
const byUpload = {
  ...filling,
  media_url: undefined,
  media_id: FILE,
  // No button takes all of these.
  button_params: [{ index: 0, url_param: 'a', payload: 'b', coupon_code: 'c' }],
  carousel_data: [{ media_id: FILE, url_button_params: ['a'], button_payloads: ['b'] }],
};

const contact = () => ({
  phone_number: uniquePhone(),
  first_name: 'Ada',
  last_name: 'L',
  email: 'ada@example.com',
  company: 'Engines',
  tags: ['vip'],
  opted_in: true,
});

const template = (fields: object) => ({
  name: TEMPLATE_NAME,
  category: 'MARKETING',
  language: 'en_US',
  body: { text: 'Hello {{1}}', examples: { '1': 'Ada' } },
  message_send_ttl_seconds: 50_000,
  ...fields,
});

const phone_or = (fields: object, own: { readonly contact_phone?: string }) => ({
  contact_phone: own.contact_phone,
  contact_name: 'Ada',
  ...fields,
});

const extras = (own: Readonly<Record<string, string>>) => ({
  reply_to: own.message_id,
  agent_user_id: own.user_id,
  reference: 'order-1',
});

const LIST = {
  button: 'Choose',
  sections: [{ title: 'Tomorrow', rows: [{ id: 'a', title: 'A', description: 'First' }] }],
};

const CARD = {
  name: { formatted_name: 'A', first_name: 'A', last_name: 'B', middle_name: 'C', suffix: 'D', prefix: 'E' },
  phones: [{ phone: '+1 555 999 0100', type: 'WORK', wa_id: '15559990100' }],
  emails: [{ email: 'a@example.com', type: 'WORK' }],
  urls: [{ url: 'https://example.com', type: 'WORK' }],
  addresses: [{ street: 'A', city: 'B', state: 'C', zip: 'D', country: 'E', country_code: 'de', type: 'WORK' }],
  org: { company: 'A', department: 'B', title: 'C' },
  birthday: '1990-01-31',
};

const byUserId = { contact_user_id: 'US.13491208655302741918' };

/** By route: bodies of which at least one has each field. */
export const FULL_BODIES: Readonly<Record<string, (own: Readonly<Record<string, string>>) => object[]>> = {
  'POST /api/v1/api-keys': () => [
    {
      name: 'Orders',
      scopes: ['contacts:read'],
      expires_at: '2031-01-31T09:30:00Z',
      allowed_networks: ['127.0.0.0/8'],
    },
  ],
  'POST /api/v1/api-keys/:key_id/rotate': () => [{ overlap_seconds: 60 }],
  'POST /api/v1/business-phones/connect': () => [
    { phone_number_id: '1', waba_id: '2', token: 'expired', app_id: '3', pin: '123456' },
    { phone_number_id: '1', waba_id: '2', code: 'expired', app_id: '3', pin: '123456' },
  ],
  'PATCH /api/v1/business-phones/:waba_phone_id': () => [{ phone_number_id: '1', waba_id: '2' }],
  'POST /api/v1/campaigns': (own) => [
    {
      ...filling,
      name: 'Autumn',
      description: 'Sale',
      template_name: own.template_name,
      body_data: { '1': { contact_field: 'first_name', fallback: 'you' } },
      contacts: [
        {
          phone: uniquePhone(),
          name: 'Ada',
          body_data: { '1': { contact_field: 'first_name', fallback: 'you' } },
          header_data: { '1': 'b' },
          button_params: [{ index: 0, payload: 'b' }],
          media_url: MEDIA,
          reference: 'order-1',
        },
      ],
      default_country: 'DE',
      group_ids: [own.group_id],
      waba_phone_id: own.waba_phone_id,
      scheduled_at: '2031-01-31T09:30:00',
      send_window: { from: '09:00', to: '20:00', timezone: 'Europe/Berlin' },
      send_before: '2031-02-01T09:30:00',
      max_failure_percent: 10,
      scheduled_timezone: 'UTC',
    },
    {
      ...byUpload,
      name: 'Autumn',
      template_name: own.template_name,
      contacts: [{ phone: uniquePhone(), button_params: byUpload.button_params }],
    },
  ],
  'POST /api/v1/campaigns/:campaign_id/retry-failed': () => [{ include: ['marketing_cap'], error_codes: [131000] }],
  'POST /api/v1/contacts': () => [contact()],
  'PATCH /api/v1/contacts/:contact_id': () => [contact()],
  'POST /api/v1/conversations/:contact_phone/assign': (own) => [
    { user_id: own.user_id, note: 'Please', waba_phone_id: own.waba_phone_id, only_if_unassigned: true },
  ],
  'POST /api/v1/conversations/:contact_phone/unassign': (own) => [{ waba_phone_id: own.waba_phone_id }],
  'POST /api/v1/conversations/:contact_phone/read': (own) => [{ typing: true, waba_phone_id: own.waba_phone_id }],
  'POST /api/v1/conversations/:contact_phone/notes': (own) => [{ text: 'Call back', waba_phone_id: own.waba_phone_id }],
  'POST /api/v1/conversations/:contact_phone/reopen': (own) => [{ waba_phone_id: own.waba_phone_id }],
  'POST /api/v1/conversations/:contact_phone/resolve': (own) => [{ reason: 'Done', waba_phone_id: own.waba_phone_id }],
  'POST /api/v1/groups': (own) => [
    { name: `Group ${newRecordId()}`, description: 'All', tags: ['a'], contact_ids: [own.contact_id] },
  ],
  'PATCH /api/v1/groups/:group_id': () => [{ name: `Group ${newRecordId()}`, description: 'All', tags: ['a'] }],
  'POST /api/v1/groups/:group_id/contacts': (own) => [{ contact_ids: [own.contact_id] }],
  'DELETE /api/v1/groups/:group_id/contacts': (own) => [{ contact_ids: [own.contact_id] }],
  'POST /api/v1/saved-replies': () => [{ name: `Reply ${newRecordId()}`, text: 'Hello {{first_name}}' }],
  'PATCH /api/v1/saved-replies/:saved_reply_id': () => [{ name: `Reply ${newRecordId()}`, text: 'Hello' }],
  'POST /api/v1/messages/send': (own) => [
    phone_or({ ...filling, ...extras(own), template_name: own.template_name, waba_phone_id: own.waba_phone_id }, own),
    { ...byUserId, template_name: own.template_name },
    phone_or({ ...byUpload, template_name: own.template_name }, own),
  ],
  'POST /api/v1/messages/send-message': (own) => [
    phone_or(
      { ...extras(own), message_type: 'text', message: 'Hello', preview_url: true, waba_phone_id: own.waba_phone_id },
      own,
    ),
    phone_or({ message_type: 'audio', media_url: MEDIA, voice: true }, own),
    phone_or({ message_type: 'image', media_id: FILE }, own),
    phone_or({ message_type: 'list', message: 'When?', list: LIST }, own),
    phone_or({ message_type: 'location', location: filling.location }, own),
    phone_or({ message_type: 'contacts', contacts: [CARD] }, own),
    phone_or({ message_type: 'reaction', reaction: { message_id: own.message_id, emoji: '👍' } }, own),
    phone_or({ message_type: 'document', media_url: MEDIA, caption: 'Look', filename: 'a.pdf' }, own),
    phone_or(
      {
        message_type: 'text',
        message: 'Which?',
        buttons: { type: 'reply', reply_buttons: [{ id: 'a', title: 'A' }] },
      },
      own,
    ),
    phone_or(
      {
        message_type: 'text',
        message: 'Look',
        buttons: { type: 'cta_url', url_button: { display_text: 'Open', url: 'https://shop.example/' } },
      },
      own,
    ),
    { ...byUserId, message_type: 'text', message: 'Hello' },
  ],
  'POST /api/v1/templates/create': (own) => [
    template({
      waba_phone_id: own.waba_phone_id,
      header: { format: 'TEXT', text: 'Hello {{1}}', text_example: { '1': 'Ada' } },
      footer: { text: 'Bye' },
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Open', url: 'https://shop.example/a/{{1}}', url_example: 'a' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+4915112345678' },
        { type: 'COPY_CODE', copy_code_example: 'SAVE10' },
        { type: 'FLOW', text: 'Form', flow_id: '1', flow_action: 'navigate', navigate_screen: 'A' },
      ],
    }),
    template({ header: { format: 'IMAGE' }, media_url: MEDIA }),
    template({ header: { format: 'IMAGE' }, media_id: FILE }),
    template({
      limited_time_offer: { text: 'Ends soon', has_expiration: true },
      offer_code: 'SAVE10',
      buttons: [{ type: 'COPY_CODE' }],
    }),
    {
      name: TEMPLATE_NAME,
      category: 'AUTHENTICATION',
      add_security_recommendation: true,
      code_expiration_minutes: 5,
    },
  ],
  'POST /api/v1/templates/create-carousel': (own) => [
    template({
      waba_phone_id: own.waba_phone_id,
      cards: ['One', 'Two'].map((body_text) => ({
        header_format: 'IMAGE',
        media_url: MEDIA,
        body_text,
        buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
      })),
    }),
    template({
      cards: [1, 2].map(() => ({
        header_format: 'IMAGE',
        media_id: FILE,
        buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
      })),
    }),
    // The longest URL is on the first card only; here it has all kinds of buttons.
    template({
      cards: [1, 2].map(() => ({
        header_format: 'IMAGE',
        media_url: MEDIA,
        buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/a/{{1}}', url_example: 'a' }],
      })),
    }),
    template({
      cards: [1, 2].map(() => ({
        header_format: 'IMAGE',
        media_url: MEDIA,
        buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+4915112345678' }],
      })),
    }),
  ],
  'POST /api/v1/templates/preview': (own) => [
    { ...filling, template_name: own.template_name, waba_phone_id: own.waba_phone_id },
    { ...byUpload, template_name: own.template_name },
  ],
  'POST /api/v1/webhooks': () => [
    {
      url: `http://127.0.0.1:1/${newRecordId()}`,
      secret: 'a secret',
      subscribed_events: ['message.sent'],
      retry_count: 1,
      timeout: 5,
      headers: { authorization: 'Bearer a' },
    },
  ],
  'PATCH /api/v1/webhooks/:webhook_id': () => [
    {
      url: 'http://127.0.0.1:1/hook',
      secret: 'a secret',
      subscribed_events: ['message.sent'],
      retry_count: 1,
      timeout: 5,
      status: 'active',
      headers: { authorization: 'Bearer a' },
    },
  ],
  'POST /api/v1/webhooks/:webhook_id/rotate-secret': () => [{ secret: 'a new secret' }],
  'POST /api/v1/webhooks/:webhook_id/replay': () => [
    { since: new Date(Date.now() - 60_000).toISOString(), events: ['message.sent'] },
  ],
};

/** Fields of the description that a route takes by a shared schema and never uses, with the reason. */
export const UNUSED_BY_ROUTE: readonly RegExp[] = [
  // Cards have no such buttons.
  /^POST \/api\/v1\/templates\/create-carousel cards\[\d\]\.buttons\[\d\]\.(?:copy_code_example|flow_id|flow_action|navigate_screen)$/,
];
