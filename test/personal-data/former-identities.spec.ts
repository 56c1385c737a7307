import { learnUser } from '../../src/people/learning.js';
import type { UserId } from '../../src/values/user-id.js';
import { deliver } from '../inbound/inbound.js';
import { freshDatabase } from '../support/database.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { erase, untilPass } from './erasing.js';

const CONTACTS = '/api/v1/contacts/';

interface Created {
  readonly contact: { readonly id: string };
}
interface Export {
  readonly contact: { readonly former_identities: string[] };
  readonly callbacks: unknown[];
}

describe('what a contact was known by before', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let phone: string;
  let id: string;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    phone = uniquePhone();
    id = await create(phone);
  });

  const create = async (phone_number: string, more: Record<string, unknown> = {}): Promise<string> => {
    const body = { phone_number, first_name: 'Ada', ...more };
    const headers = { 'idempotency-key': `k-${phone_number}-${uniqueDigits()}` };
    return (await account.api.post<Created>(CONTACTS, body, { headers })).body.contact.id;
  };
  const patch = async (changes: Record<string, unknown>): Promise<void> => {
    const { status, text } = await account.api.patch(CONTACTS + id, changes);
    if (status !== 200) throw new Error(text);
  };
  /** Delivers a message without an id, which is put away as it came. */
  const putAway = async (more: Record<string, unknown>): Promise<void> => {
    expect(await deliver(world, account.phone, { messages: [{ type: 'text', ...more }] })).toBe(200);
  };
  const exported = async () => (await account.api.get<Export>(`${CONTACTS}${id}/export`)).body;
  const erased = async () => {
    await erase(account, id);
    await untilPass(world, account, id, 1);
  };
  const found = async (...needles: string[]) => columnsWith(await dumpOf(databaseUrl), needles);

  it('is exported and erased with the number that replaced it', async () => {
    await putAway({ from: phone });
    await deliver(world, account.phone, {
      statuses: [{ id: `wamid.${uniqueDigits()}`, status: 'delivered', recipient_id: phone }],
    });
    const other = uniquePhone();
    await patch({ phone_number: other });
    expect(await found(phone)).toEqual([
      'contacts.former_identities',
      'idempotency_keys.idempotency_key',
      'parked_reports.report',
      'unhandled_callbacks.body',
    ]);
    expect(await exported()).toMatchObject({
      contact: { former_identities: [phone] },
      callbacks: [expect.anything(), expect.anything()],
    });
    await erased();
    expect(await found(phone, other)).toEqual([]);
  });

  it('is erased when it was a user id, an email address or the number by which the network knew the contact', async () => {
    const [first, second] = [`US.${uniqueDigits()}`, `US.${uniqueDigits()}`] as UserId[];
    const email = `ada${uniqueDigits()}@example.test`;
    await patch({ email });
    for (const userId of [first, second]) {
      await world.unitOfWork.transaction((tx) => learnUser(account.accountId, id, { userId, username: null }, tx));
    }
    await putAway({ from_user_id: String(first) });
    await putAway({ text: { body: email } });
    await patch({ email: 'other@example.test' });
    await erased();
    expect(await found(String(first), email)).toEqual([]);
  });

  it('stays where another contact has it now', async () => {
    const email = `ada${uniqueDigits()}@example.test`;
    await patch({ email });
    await patch({ phone_number: uniquePhone(), email: null });
    await create(phone, { email: email.toUpperCase() });
    await putAway({ from: phone });
    await putAway({ text: { body: email } });
    expect(await exported()).toMatchObject({ contact: { former_identities: [] }, callbacks: [] });
    await erased();
    expect(await found(phone)).toContain('unhandled_callbacks.body');
    expect(await found(email)).toContain('unhandled_callbacks.body');
  });

  it('is the latest twenty, and each once', async () => {
    const numbers = [phone, ...Array.from({ length: 21 }, () => uniquePhone())];
    for (const number of numbers.slice(1)) await patch({ phone_number: number });
    await patch({ phone_number: numbers[20] });
    expect((await exported()).contact.former_identities).toEqual([...numbers.slice(2, 20), numbers[21]]);
  });
});
