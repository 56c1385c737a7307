import type { Schema } from './open-api.js';

const ID = '019c1363-49c0-7680-92b3-4d37d5120a7f';
const PHONE = '4915123456789';

/** Values that a field of this name may have, whichever schema it is in. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  phone: PHONE,
  phone_number: PHONE,
  contact_phone: PHONE,
  contact_name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  full_name: 'Ben Agent',
  assigned_to_name: 'Ben Agent',
  previous_assignee_name: 'Ada Agent',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  tags: ['vip'],
  contact_user_id: 'US.13491208655302741918',
  assigned_to: ID,
  template_name: 'order_update',
  template_language: 'en_US',
  language: 'en_US',
  campaign_name: 'Spring offer',
  content: 'Are you open today?',
  media_url: 'https://example.com/spring.jpg',
  url: 'https://example.com/webhooks',
  filename: 'invoice.pdf',
  network_message_id: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ',
  meta_template_id: '1627019861106475',
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  scheduled_timezone: 'Europe/Berlin',
  total: 1,
  page: 1,
  limit: 20,
};

const BY_FORMAT: Readonly<Record<string, string>> = { uuid: ID, 'date-time': '2026-01-31T09:30:00.000Z' };

/** Gives every property an example where its name or its format tells one, as JSON Schema writes it: `examples`. */
export function addExamples(schemas: Readonly<Record<string, Schema>>): void {
  for (const schema of Object.values(schemas)) visit(schema);
}

function visit(schema: Schema): void {
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    visit(property);
    const example = exampleOf(name, property);
    if (example !== undefined) property['examples'] ??= [example];
  }
  const { items, additionalProperties } = schema;
  for (const part of [items, additionalProperties])
    if (typeof part === 'object' && part !== null) visit(part as Schema);
}

/** Undefined unless the example has the property's type. */
function exampleOf(name: string, { type, format, enum: choices }: Schema): unknown {
  if (choices !== undefined || type === undefined) return undefined;
  const example = BY_FORMAT[String(format)] ?? BY_NAME[name];
  const types = [type].flat();
  const found = Array.isArray(example) ? 'array' : typeof example === 'number' ? 'integer' : typeof example;
  return types.includes(found) ? example : undefined;
}
