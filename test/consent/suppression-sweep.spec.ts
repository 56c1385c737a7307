import { identityHashesOf } from '../../src/consent/identity-hashes.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** More than the sweep looks through at once. */
const OPT_OUTS = 2500;

describe('opt-outs that contacts may have missed', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
    account = await world.account();
  });
  afterAll(() => world.stop());

  const create = async (phone: string): Promise<string> => {
    const fields = { phone_number: phone, first_name: 'Ada' };
    const { body, text } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', fields);
    if (body.contact === undefined) throw new Error(text);
    return body.contact.id;
  };
  const isOptedIn = async (id: string): Promise<boolean> =>
    (await account.api.get<{ contact: { opted_in: boolean } }>(`/api/v1/contacts/${id}`)).body.contact.opted_in;

  it('are all applied, even if more were written at once than one batch takes', async () => {
    const phones = Array.from({ length: OPT_OUTS }, uniquePhone);
    const [first, last, other] = [phones[0] ?? '', phones.at(-1) ?? '', uniquePhone()];
    const contacts = { first: await create(first), last: await create(last), other: await create(other) };
    const { autocommit } = world.unitOfWork;
    const hashes = phones.map((phone) => identityHashesOf(autocommit).of(account.accountId, phone));
    // All by one statement; the sweep takes them in this order.
    await autocommit.affected(
      `INSERT INTO suppressions (account_id, identity_hash, person, opted_out_by, opted_out_at, look_at)
       SELECT $1, hash, $2, 'person', now(), now() - interval '1 hour' + place * interval '1 millisecond'
       FROM unnest($3::text[]) WITH ORDINALITY AS o (hash, place)`,
      [account.accountId, newRecordId(), hashes],
    );
    await until('all are looked through', async () => {
      const sql = 'SELECT identity_hash FROM suppressions WHERE account_id = $1 AND look_at IS NOT NULL LIMIT 1';
      return (await autocommit.row(sql, [account.accountId])) === null;
    });
    expect(await Promise.all([contacts.first, contacts.last, contacts.other].map(isOptedIn))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
