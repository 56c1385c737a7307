import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sliceClock } from '../../src/runtime/slices.js';
import type { ApiResponse } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** Entries of the largest lists. */
const MANY = 10_000;
/** Entries that are worked on before other work gets its turn, when each takes a fifth of a millisecond. */
const PER_TURN = 50;
const CSV = { 'content-type': 'text/csv' };

const entries = <Entry>(count: number, entry: (index: number) => Entry): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(index));
const phoneOf = (index: number): string => `49151${String(index).padStart(8, '0')}`;

describe('the largest requests of one tenant', () => {
  let world: World;
  let hostile: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    hostile = await world.account();
    other = await world.account();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    // Each look at the clock of the slices takes as long, so a slice has as many entries on any machine.
    let at = 0;
    jest.spyOn(sliceClock, 'now').mockImplementation(() => {
      at += 0.2;
      return at;
    });
  });
  afterEach(() => jest.restoreAllMocks());

  /**
   * Makes a request, and others in a row while it is worked on.
   *
   * @returns the answer; how many turns the event loop had meanwhile, and the statuses of the other answers
   */
  async function beside<Body>(request: () => Promise<ApiResponse<Body>>) {
    let isDone = false;
    let turns = 0;
    const answering = request().finally(() => {
      isDone = true;
    });
    const counting = (async () => {
      for (; !isDone; turns += 1) await nextTurn();
    })();
    const others: number[] = [];
    const askFor = async (path: string): Promise<void> => {
      while (!isDone) others.push((await other.api.get(path)).status);
    };
    // Side by side: a slow answer of the database to the second must not keep the first from its turns.
    await Promise.all([askFor('/health/live'), askFor('/api/v1/agents')]);
    await counting;
    return { answer: await answering, turns, others };
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    beside(() => hostile.api.post(path, body, { headers }));

  /** The request had a slice for every fifty of its entries, and everybody else was served meanwhile. */
  function expectSlices({ turns, others }: { turns: number; others: readonly number[] }, count: number): void {
    expect(turns).toBeGreaterThan(count / PER_TURN);
    expect(others.length).toBeGreaterThan(2);
    expect(new Set(others)).toEqual(new Set([200]));
  }

  it('leave the event loop to others while a campaign of 10,000 contacts is created', async () => {
    const { name } = await approvedTemplate(world, hostile, { body: { text: 'Hello {{1}}', examples: { 1: 'Ada' } } });
    const contacts = entries(MANY, (index) => ({ phone: phoneOf(index), body_data: { 1: `Ada ${index}` } }));
    const done = await post(
      '/api/v1/campaigns/',
      { name: 'Large', template_name: name, contacts },
      { 'idempotency-key': 'large' },
    );
    expect(done.answer.status).toBe(200);
    // Parsing, checking, fingerprinting, reading, normalising and rendering.
    expectSlices(done, 6 * MANY);
  });

  it('leave the event loop to others while a file is imported and exported', async () => {
    const rows = entries(MANY, (index) => `${phoneOf(index)},Ada ${index}`);
    const imported = await beside(() =>
      hostile.api.post('/api/v1/contacts/import', undefined, {
        raw: `phone_number,first_name\n${rows.join('\n')}\n`,
        headers: CSV,
      }),
    );
    expect(imported.answer.status).toBe(200);
    expectSlices(imported, MANY);
    const exported = await beside(() => hostile.api.get('/api/v1/contacts/export'));
    expect(exported.answer.status).toBe(200);
    expectSlices(exported, MANY);
  });

  it('leave the event loop to others while stored answers full of near misses are exported', async () => {
    const { body } = await hostile.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: uniquePhone(),
      first_name: 'Ada',
    });
    await crowd(40, async (index) => {
      const headers = { 'idempotency-key': `answer-${index}` };
      // The answer repeats the long name of a template that does not exist.
      const name = '4915112345678a@'.repeat(30);
      await hostile.api.post('/api/v1/templates/preview', { template_name: name }, { headers });
      await hostile.api.post('/api/v1/groups/', { name: `${index} ${'- '.repeat(120)}` }, { headers });
    });
    const done = await beside(() => hostile.api.get(`/api/v1/contacts/${body.contact.id}/export`));
    expect(done.answer.status).toBe(200);
    // Each had two answers.
    expectSlices(done, 2 * 40);
  });

  it('leave the event loop to others while a callback with thousands of reports is read', async () => {
    const statuses = entries(2000, (index) => ({ id: `wamid.${index}`, status: 'read', timestamp: '1760000000' }));
    const { phoneNumberId } = hostile.phone;
    const value = { metadata: { phone_number_id: phoneNumberId }, statuses };
    const raw = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
    });
    const { appSecret } = world.environment.network;
    const signature = `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`;
    const done = await beside(() =>
      hostile.api.post('/network/callbacks', undefined, { raw, headers: { 'x-hub-signature-256': signature } }),
    );
    expect(done.answer.status).toBe(200);
    expectSlices(done, statuses.length);
  });

  it.each([
    ['letters', 'a'],
    ['separators', '- '],
    ['near misses', '4915112345678a@'],
    ['braces', '{{'],
    ['escapes', '%20'],
  ])('are refused or answered when every text is 64 KiB of %s', async (_, piece) => {
    const text = piece.repeat(Math.ceil((64 * 1024) / piece.length)).slice(0, 64 * 1024);
    const bodies: readonly (readonly [path: string, body: object])[] = [
      ['/api/v1/contacts/', { phone_number: text, first_name: text, email: text, tags: [text] }],
      ['/api/v1/groups/', { name: text, description: text, tags: [text] }],
      ['/api/v1/templates/preview', { template_name: text, body_data: { 1: text }, header_data: { 1: text } }],
      ['/api/v1/templates/create', { name: text, category: 'UTILITY', body: { text }, footer: { text } }],
      ['/api/v1/messages/send', { contact_phone: text, template_name: text, body_data: { 1: text }, media_url: text }],
      ['/api/v1/campaigns/', { name: text, template_name: text, contacts: [{ phone: text, name: text }] }],
      ['/api/v1/webhooks/', { url: `https://${text}`, description: text }],
      ['/api/v1/api-keys/', { name: text }],
    ];
    for (const [path, body] of bodies) {
      const { answer, others } = await post(path, body);
      expect(`${path} ${answer.status}`).toMatch(/ (?:400|404|422)$/);
      expect(new Set(others)).toEqual(new Set([200]));
    }
  });

  it.each([
    ['button_params', entries(9900, () => ({}))],
    ['carousel_data', entries(3900, () => ({ media_url: '', url_button_params: 1 }))],
    ['location', entries(9900, () => ({}))],
  ])('are refused when %s has thousands of entries', async (field, value) => {
    const { answer, others } = await post('/api/v1/templates/preview', { template_name: 'a', [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(new RegExp(`"${field} must (?:have at most 10 entries|be an object, not an array)`));
    expect(answer.text.length).toBeLessThan(1000);
    expect(new Set(others)).toEqual(new Set([200]));
  });

  it('are refused when a body has a hundred thousand tiny values', async () => {
    const fields = `{${entries(80_000, (index) => `"${index}":""`).join(',')}}`;
    for (const raw of [fields, `{"template_name":"a","body_data":${fields}}`, `{"tags":[${'[],'.repeat(80_000)}1]}`]) {
      const { answer, others } = await beside(() => hostile.api.post('/api/v1/templates/preview', undefined, { raw }));
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/request body/);
      expect(new Set(others)).toEqual(new Set([200]));
    }
  });
});
