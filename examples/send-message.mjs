// Creates a contact, sends it an approved template, and reads the message back.
//
//   node examples/send-message.mjs order_update Ada 4711     the template, and the values of its variables
//
// Uses the sandbox of `npm start`, or PARLEY_BASE_URL and PARLEY_API_KEY.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
// In a project of your own: from 'parley-client'.
import { Parley, ParleyError } from '../dist/clients/typescript/src/index.js';

const PHONE = '4915112345679';

const [template, ...values] = process.argv.slice(2);
if (!template) {
  console.error('usage: node examples/send-message.mjs TEMPLATE [VALUE…]');
  process.exit(1);
}

const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey, DATA_DIR = '.parley' } = process.env;
const parley = new Parley(baseUrl && apiKey ? { baseUrl, apiKey } : sandbox());

try {
  const { contact } = await parley.contacts.create({ phone_number: PHONE, first_name: 'Ada' });
  console.log(`Created ${contact.first_name} (${contact.phone_number})`);
} catch (error) {
  if (!(error instanceof ParleyError) || error.code !== 'conflict') throw error;
  console.log(`${PHONE} is a contact already`);
}

const { message_id } = await parley.messages.send({
  template_name: template,
  contact_phone: PHONE,
  body_data: Object.fromEntries(values.map((value, index) => [index + 1, value])),
});
for (let status = ''; status !== 'read' && status !== 'failed'; await sleep(1000)) {
  const { message_record } = await parley.messages.get(message_id);
  ({ status } = message_record);
  console.log(`${message_id} is ${status}`);
}

function sandbox() {
  const { base_url, api_key } = JSON.parse(readFileSync(`${DATA_DIR}/sandbox.json`, 'utf8'));
  return { baseUrl: base_url, apiKey: api_key };
}
