import 'reflect-metadata';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newRecordId } from '../src/values/record-id.js';
import { callbackBody, signedHeaders, statusReport } from './support/callbacks.js';
import { storeTemplate } from './support/campaign-run.js';
import { show } from './support/figures.js';
import { authorizationOf, type BenchAccount, Stack } from './support/stack.js';

// The longest turn of the service's event loop for the largest request of each kind, processor time. While it lasts,
// the process answers nobody. Fails when one takes longer than TARGET_MS.

const TARGET_MS = 100;
const MIB = 1024 * 1024;
const CONTACTS = 10_000;
/** Requests before the measurement, so that the code is compiled. */
const WARM_UP = 1;
const ROUNDS = 2;

const NEAR_MISSES = '4915112345678a@';
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const phoneOf = (index: number): string => `49151${String(index).padStart(8, '0')}`;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

type Scenario = (round: number) => Request | Promise<Request>;

const directory = mkdtempSync(join(tmpdir(), 'parley-turns-'));
const file = join(directory, 'turns');
writeFileSync(file, '');
const recorder = pathToFileURL(join(import.meta.dirname, 'support/turn-recorder.js')).href;
process.env['BENCH_NODE_OPTIONS'] = `--import ${recorder} ${process.env['BENCH_NODE_OPTIONS'] ?? ''}`.trim();

/** The scenarios, by name. */
function scenarios(account: BenchAccount, contactId: string): Record<string, Scenario> {
  const json = { ...authorizationOf(account), 'content-type': 'application/json' };
  const post = (path: string, body: object | string, headers: Record<string, string> = {}): Request => ({
    method: 'POST',
    path: `/api/v1${path}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...json, ...headers },
  });
  const keyed = (path: string, body: object | string): Request =>
    post(path, body, { 'idempotency-key': newRecordId() });
  const get = (path: string): Request => ({ method: 'GET', path: `/api/v1${path}`, body: undefined, headers: json });
  const campaign = (contacts: readonly object[], more: object = {}) => ({
    name: 'turns',
    template_name: 'plain',
    contacts,
    ...more,
  });
  const contacts = (more: (index: number) => object) =>
    Array.from({ length: CONTACTS }, (_, index) => ({ phone: phoneOf(index), ...more(index) }));
  const callback = (kind: 'statuses' | 'messages', items: readonly object[]): Request => {
    const body = callbackBody(account, kind, items);
    return { method: 'POST', path: '/network/callbacks', body, headers: signedHeaders(body) };
  };
  const preview = (text: string) => ({ template_name: 'filled', body_data: { 1: text } });
  const csv = (row: (index: number) => string, rows: number): Request => ({
    method: 'POST',
    path: '/api/v1/contacts/import',
    body: `phone_number,first_name,company,tags\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}\n`,
    headers: { ...json, 'content-type': 'text/csv' },
  });
  const many = (count: number, item: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => item(index));
  return {
    'campaign of 10,000 numbers': () => keyed('/campaigns/', campaign(contacts(() => ({})))),
    'campaign with own values': () =>
      keyed(
        '/campaigns/',
        campaign(
          contacts((index) => ({ name: `Ada ${index}`, body_data: { 1: filled('a', 250) } })),
          {
            template_name: 'filled',
          },
        ),
      ),
    'campaign with contact fields': () =>
      keyed(
        '/campaigns/',
        campaign(
          contacts(() => ({ body_data: { 1: { contact_field: 'first_name', fallback: 'you' } } })),
          {
            template_name: 'filled',
          },
        ),
      ),
    'campaign without values': () =>
      keyed(
        '/campaigns/',
        campaign(
          contacts(() => ({ body_data: { 2: 'b' } })),
          { template_name: 'filled' },
        ),
      ),
    'campaign of codes': () =>
      keyed(
        '/campaigns/',
        campaign(
          contacts((index) => ({ body_data: { 1: String(100000 + index) } })),
          { template_name: 'codes' },
        ),
      ),
    'campaign of invalid numbers': () =>
      keyed('/campaigns/', campaign(many(CONTACTS, () => ({ phone: filled('- ', 64) })))),
    'group of 10,000 unknown': () =>
      keyed('/groups/', { name: newRecordId(), contact_ids: many(CONTACTS, () => newRecordId() as never) }),
    'import of 100,000 rows': () => csv((index) => `${phoneOf(index)},Ada ${index},Example,"vip,news"`, 100_000),
    'import of separators': () => csv((index) => `${phoneOf(index)},",,,,,,,,",'=;=|=,"a,b"`, 100_000),
    'import of long cells': () =>
      csv(() => `${filled('- ', 21_000)},${filled(' ', 20_000)},${filled("'=", 21_000)},a`, 1000),
    'contacts as CSV': () => get('/contacts/export'),
    'body of 1 MiB in one text': () =>
      keyed('/contacts/', { phone_number: phoneOf(1), first_name: filled('a', MIB - 100) }),
    'body of 500,000 numbers': () =>
      keyed('/contacts/', `{"phone_number":"49151","tags":[${filled('1,', MIB - 100)}1]}`),
    'body of 100,000 fields': () =>
      keyed(
        '/contacts/',
        `{${many(90_000, (index) => `"${index}":1` as never).join(',')},"phone_number":"4915112345678"}`,
      ),
    'body of nested lists': () =>
      keyed(
        '/contacts/',
        `{"phone_number":"4915112345678","tags":[${filled(`${'['.repeat(20)}${']'.repeat(20)},`, MIB - 200 - ((MIB - 200) % 41))}1]}`,
      ),
    'body_data of 90,000 values': () =>
      keyed(
        '/templates/preview',
        `{"template_name":"filled","body_data":{${many(80_000, (index) => `"${index}":""` as never).join(',')}}}`,
      ),
    'buttons without fields': () =>
      keyed('/templates/preview', { template_name: 'filled', button_params: many(9900, () => ({})) }),
    'cards of wrong types': () =>
      keyed('/templates/preview', {
        template_name: 'filled',
        carousel_data: many(3900, () => ({ media_url: '', url_button_params: 1 })),
      }),
    'time zone of 1 MiB': () =>
      keyed('/campaigns/', { name: 'a', template_name: 'plain', scheduled_timezone: filled('a/', MIB - 200) }),
    'preview of letters': () => keyed('/templates/preview', preview(filled('a', 32_000))),
    'preview of braces': () => keyed('/templates/preview', preview(filled('{{', 64 * 1024))),
    'preview of 1 MiB': () => keyed('/templates/preview', preview(filled(NEAR_MISSES, MIB - 200))),
    'new template of 1 MiB': () =>
      keyed('/templates/create', { name: 'a', category: 'UTILITY', body: { text: filled('{{a}}', MIB - 200) } }),
    'new template of examples': () =>
      keyed(
        '/templates/create',
        `{"name":"a","category":"UTILITY","body":{"text":"a","examples":{${many(80_000, (index) => `"${index}":""` as never).join(',')}}}}`,
      ),
    'search of 1 KiB': () => get(`/contacts/?search=${filled('a ', 2000).replaceAll(' ', '+')}`),
    'callback of 4 MiB of statuses': () =>
      callback(
        'statuses',
        many(14_000, (index) => ({
          ...statusReport({ id: newRecordId(), network_message_id: `wamid.${index}` }, 'delivered'),
        })),
      ),
    'callback of 2,000 messages': () =>
      callback(
        'messages',
        many(2000, (index) => ({
          from: phoneOf(index),
          id: `wamid.${newRecordId()}`,
          timestamp: '1760000000',
          type: 'text',
          text: { body: 'Hello' },
        })),
      ),
    'callback of 4 MiB of text': () =>
      callback('messages', [
        {
          from: phoneOf(1),
          id: `wamid.${newRecordId()}`,
          timestamp: '1760000000',
          type: 'text',
          text: { body: filled(NEAR_MISSES, 4 * MIB - 1000) },
        },
      ]),
    'callback of 4 MiB of numbers': () => {
      const body = `{"object":"whatsapp_business_account","entry":[${filled('1,', 4 * MIB - 100)}1]}`;
      return { method: 'POST', path: '/network/callbacks', body, headers: signedHeaders(body) };
    },
    'callback of large integers': () => {
      const body = `{"object":"whatsapp_business_account","entry":[${filled('90071992547409930,', 4 * MIB - 100 - ((4 * MIB - 100) % 18))}1]}`;
      return { method: 'POST', path: '/network/callbacks', body, headers: signedHeaders(body) };
    },
    'callback of changes': () => {
      const body = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[${filled('{},', 2 * MIB)}{}]}]}`
        .replace(',{{}]', ',{}]')
        .replace(',{,{}]', ',{}]');
      return { method: 'POST', path: '/network/callbacks', body, headers: signedHeaders(body) };
    },
    'campaign of one person': () =>
      keyed(
        '/campaigns/',
        campaign([{ phone: phoneOf(0) }, ...many(9999, () => ({ phone: `4915799999999 ${filled('- a', 50)}` }))]),
      ),
    'export of a person': () => get(`/contacts/${contactId}/export`),
    'erasure of a person': () => ({
      method: 'DELETE',
      path: `/api/v1/contacts/${contactId}?erase=true`,
      body: undefined,
      headers: authorizationOf(account),
    }),
  };
}

/** The turns noted since the last call, milliseconds. */
function noted(): number[] {
  const turns = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  writeFileSync(file, '');
  return turns.sort((a, b) => b - a);
}

async function send(stack: Stack, { method, path, body, headers }: Request): Promise<{ status: number; text: string }> {
  const response = await fetch(stack.baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

async function prepare(stack: Stack, account: BenchAccount): Promise<string> {
  await storeTemplate(stack, account, 'plain');
  await storeTemplate(stack, account, 'filled', 'Hello {{1}}');
  await storeTemplate(stack, account, 'codes', '{{1}} is your code');
  await stack.unitOfWork.autocommit.affected(
    "UPDATE templates SET category = 'AUTHENTICATION' WHERE account_id = $1 AND name = 'codes'",
    [account.accountId],
  );
  const headers = { ...authorizationOf(account), 'content-type': 'application/json' };
  const created = await send(stack, {
    method: 'POST',
    path: '/api/v1/contacts/',
    body: JSON.stringify({ phone_number: '4915799999999', first_name: 'Ada', email: 'ada@example.test' }),
    headers,
  });
  const id = /[0-9a-f-]{36}/.exec(created.text)?.[0];
  if (id === undefined) throw new Error(created.text);
  return id;
}

async function bench(): Promise<void> {
  const stack = await Stack.start({ BENCH_TURNS: file });
  try {
    const account = await stack.account();
    const contactId = await prepare(stack, account);
    const only = process.argv.slice(2);
    let failed = 0;
    for (const [name, scenario] of Object.entries(scenarios(account, contactId))) {
      if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
      const longest: number[] = [];
      let last = { status: 0, text: '' };
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        const request = await scenario(round);
        noted();
        last = await send(stack, request);
        // The turn of an answer is noted in the next one.
        await send(stack, { method: 'GET', path: '/health/live', body: undefined, headers: {} });
        // Work may go on in the background, such as that of an erasure.
        if (/erasure/.test(name)) await new Promise((resolve) => setTimeout(resolve, 5000));
        const [turn = 0] = noted();
        if (round >= WARM_UP || /erasure/.test(name)) longest.push(turn);
      }
      // The shortest of them, so that a collection of garbage doesn't count.
      const turn = Math.min(...longest);
      if (turn > TARGET_MS) failed += 1;
      show(name, {
        status: last.status,
        'longest turn (ms)': turn.toFixed(0),
        of: longest.map((each) => each.toFixed(0)).join('/'),
        answer: last.text.slice(0, 70),
      });
    }
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

await bench();
