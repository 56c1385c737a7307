import type { Operation } from './open-api.js';

const PHONE = '4915123456789';
const CONTACT_IDS = ['019c1363-49c0-7dfa-9508-c296aabc444f', '019c1363-49c0-7642-9fe5-1e78f53e031a'];
const AGENT_ID = '019c1363-49c0-789b-9355-00765dc0e381';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

const one = (summary: string, value: object): Examples => ({ example: { summary, value } });

/** Bodies that work as they stand, once ids and names are your own, by operation. */
export const BODY_EXAMPLES: Readonly<Record<string, Examples>> = {
  'messages.send': {
    text: {
      summary: 'A template with two variables',
      value: { template_name: 'order_update', contact_phone: PHONE, body_data: { '1': 'Ada', '2': '4711' } },
    },
    media: {
      summary: 'A template with a picture and a button',
      value: {
        template_name: 'spring_offer',
        template_language: 'en_US',
        contact_phone: PHONE,
        contact_name: 'Ada Lorenzen',
        body_data: { '1': 'Ada' },
        media_url: 'https://example.com/spring.jpg',
        button_params: [{ index: 0, url_param: 'spring' }],
      },
    },
  },
  'messages.sendMessage': {
    text: {
      summary: 'A text',
      value: { contact_phone: PHONE, message_type: 'text', message: 'Your parcel is on its way.' },
    },
    buttons: {
      summary: 'A text with buttons',
      value: {
        contact_phone: PHONE,
        message_type: 'text',
        message: 'Shall we deliver tomorrow?',
        buttons: {
          type: 'reply',
          reply_buttons: [
            { id: 'yes', title: 'Yes' },
            { id: 'no', title: 'No' },
          ],
        },
      },
    },
    image: {
      summary: 'A picture',
      value: {
        contact_phone: PHONE,
        message_type: 'image',
        media_url: 'https://example.com/parcel.jpg',
        caption: 'Left at your door',
      },
    },
  },
  'templates.create': one('A utility template', {
    name: 'order_update',
    category: 'UTILITY',
    language: 'en_US',
    body: { text: 'Hello {{1}}, your order {{2}} is on its way.', examples: { '1': 'Ada', '2': '4711' } },
    footer: { text: 'Thank you for your order' },
  }),
  'templates.createCarousel': one('Two cards', {
    name: 'spring_carousel',
    language: 'en_US',
    body: { text: 'Our offers for you, {{1}}.', examples: { '1': 'Ada' } },
    cards: ['https://example.com/tulips.jpg', 'https://example.com/roses.jpg'].map((media_url) => ({
      header_format: 'IMAGE',
      media_url,
      body_text: 'This week only',
      buttons: [{ type: 'QUICK_REPLY', text: 'Tell me more' }],
    })),
  }),
  'templates.preview': one('With its variables', {
    template_name: 'order_update',
    body_data: { '1': 'Ada', '2': '4711' },
  }),
  'campaigns.create': {
    contacts: {
      summary: 'To contacts, each with a name of their own',
      value: {
        name: 'Spring offer',
        template_name: 'spring_offer',
        body_data: { '1': { contact_field: 'first_name', fallback: 'there' } },
        contacts: [
          { phone: '+49 151 23456789', name: 'Ada Lorenzen' },
          { phone: '+49 151 23456780', body_data: { '1': 'Grace' } },
        ],
      },
    },
    groups: {
      summary: 'To groups, at a set time',
      value: {
        name: 'Spring offer',
        template_name: 'spring_offer',
        body_data: { '1': { contact_field: 'first_name', fallback: 'there' } },
        group_ids: CONTACT_IDS,
        scheduled_at: '2030-01-31T09:30:00',
        scheduled_timezone: 'Europe/Berlin',
        send_window: { from: '09:00', to: '20:00' },
      },
    },
  },
  'apiKeys.create': one('A key that may do less', {
    name: 'Order service',
    scopes: ['contacts:read', 'messages:write'],
    expires_at: '2031-01-31T09:30:00Z',
  }),
  'apiKeys.rotate': one('With an hour to replace the old key', { overlap_seconds: 3600 }),
  'contacts.create': one('A contact', {
    phone_number: PHONE,
    first_name: 'Ada',
    last_name: 'Lorenzen',
    email: 'ada@example.com',
    company: 'Analytical Engines',
    tags: ['vip'],
  }),
  'contacts.change': one('Some fields', { company: null, tags: ['vip', 'berlin'], opted_in: true }),
  'groups.create': one('A group with two contacts', {
    name: 'Customers in Berlin',
    description: 'Bought something this year',
    tags: ['berlin'],
    contact_ids: CONTACT_IDS,
  }),
  'groups.change': one('A new name', { name: 'Customers in Potsdam', description: null }),
  'groups.addContacts': one('Two contacts', { contact_ids: CONTACT_IDS }),
  'groups.removeContacts': one('Two contacts', { contact_ids: CONTACT_IDS }),
  'conversations.assign': one('To an agent', { user_id: AGENT_ID, note: 'Speaks Portuguese' }),
  'conversations.unassign': one('The conversation that was active last', {}),
  'conversations.reopen': one('The conversation that was active last', {}),
  'conversations.resolve': one('With a reason', { reason: 'Answered' }),
  'webhooks.create': one('Two events', {
    url: 'https://example.com/webhooks',
    secret: 'whsec_VGhpcyBrZXkgaXMgYW4gZXhhbXBsZSBvbmx5Lg==',
    subscribed_events: ['message.received', 'message.failed'],
    retry_count: 3,
    timeout: 5,
  }),
  'webhooks.change': one('Pause an endpoint', { status: 'disabled' }),
  'webhooks.rotateSecret': one('A secret that Parley makes', {}),
  'webhooks.replay': one('Failures since a time', { since: '2026-01-31T09:30:00Z', events: ['message.failed'] }),
};

const CSV = 'phone_number,first_name,last_name,email,company,tags\n4915123456789,Ada,Lorenzen,ada@example.com,,vip\n';

/** Bodies that are not described by a class. */
export const BODIES: Readonly<Record<string, NonNullable<Operation['requestBody']>>> = {
  'contacts.import': {
    required: true,
    description: 'The file as the field `file` of a form, or as the body itself.',
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', contentMediaType: 'text/csv', description: 'UTF-8, with a header line' },
          },
        },
      },
      'text/csv': { schema: { type: 'string' }, example: CSV },
    },
  },
  'network.receive': {
    required: true,
    description: 'An envelope of the network. One of any other form is stored and acknowledged.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            object: { type: 'string', enum: ['whatsapp_business_account'] },
            entry: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  id: { type: 'string', description: 'The business account on the network' },
                  changes: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: {
                        field: { type: 'string', description: 'Such as `messages`' },
                        value: { type: 'object', additionalProperties: true },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
