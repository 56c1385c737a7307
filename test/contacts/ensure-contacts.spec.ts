import { isConflict, isContention } from '../../src/database/connections/transient-errors.js';
import { withRetries } from '../../src/database/connections/with-retries.js';
import type { ContactSource } from '../../src/people/contact.entity.js';
import { type ContactEntry, ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import { isRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const MAX_TRIES = 20;
/** A deadlock is a fault, so it is not among them. */
const metALock = (error: unknown): boolean => isContention(error) && !isConflict(error);
/** Ensures contacts, again if that met a lock for too long. */
const ensure = (entries: ContactEntry[], source: ContactSource = 'send') =>
  withRetries(
    () => ensureContacts(account.accountId, entries, source, world.unitOfWork.autocommit),
    metALock,
    MAX_TRIES,
  );
const ensureOne = async (phoneNumber: string, name: string | null = null, source: ContactSource = 'send') => {
  const [contact] = await ensure([{ phoneNumber, name }], source);
  if (contact === undefined) throw new Error('nothing was ensured');
  return contact;
};
const record = async (id: string) => (await account.api.get(`/api/v1/contacts/${id}`)).body.contact;
/** The row's physical location, which changes with every write. */
const place = async (id: string) =>
  (
    await world.unitOfWork.autocommit.row<{ place: string }>(
      'SELECT concat(ctid, xmin, xmax) AS place FROM contacts WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    )
  )?.place;

describe('a phone number without a contact', () => {
  it('becomes a contact, named "User #<random>" by default', async () => {
    const phone = uniquePhone();
    const contact = await ensureOne(phone);
    expect(contact).toEqual({
      accountId: account.accountId,
      id: expect.any(String),
      identity: phone,
      phoneNumber: phone,
      waId: null,
      userId: null,
      username: null,
      firstName: expect.stringMatching(/^User #\d{6}$/),
      lastName: null,
      optedIn: true,
    });
    expect(isRecordId(contact.id)).toBe(true);
    expect(await record(contact.id)).toMatchObject({ source: 'send', email: null, tags: [] });
  });

  it.each(['send', 'campaign', 'inbound'] as const)('has the source %s', async (source) => {
    expect(await record((await ensureOne(uniquePhone(), 'Ada', source)).id)).toMatchObject({ source });
  });

  it('gets the given name, split at the first space', async () => {
    const name = 'Ada King Lindgrove';
    expect(await ensureOne(uniquePhone(), name)).toMatchObject({ firstName: 'Ada', lastName: 'King Lindgrove' });
  });

  it('becomes one contact in 50 parallel calls', async () => {
    const phone = uniquePhone();
    const contacts = await crowd(50, (index) => ensureOne(phone, index % 2 ? 'Ada' : null));
    expect(new Set(contacts.map(({ id }) => id)).size).toBe(1);
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(1);
    expect(await ensureOne(phone)).toMatchObject({ firstName: 'Ada' });
  });

  it('becomes one contact when repeated in one call; the first entry’s name counts', async () => {
    const phone = uniquePhone();
    const names = [null, ' ', 'Ada', 'Eve'];
    const contacts = await ensure(names.map((name) => ({ phoneNumber: phone, name })));
    expect(contacts).toMatchObject([{ firstName: 'Ada', lastName: null }]);
  });
});

describe('a phone number of a contact', () => {
  it('is not written when nothing changes', async () => {
    const phone = uniquePhone();
    const contact = await ensureOne(phone, 'Ada Lindgrove');
    const before = await place(contact.id);
    expect(await ensureOne(phone, 'Eve', 'campaign')).toEqual(contact);
    expect(await ensureOne(phone)).toEqual(contact);
    expect(await place(contact.id)).toBe(before);
  });

  it('takes a given name instead of a default one, never instead of another', async () => {
    const phone = uniquePhone();
    const { id, firstName } = await ensureOne(phone);
    expect(await ensureOne(phone)).toMatchObject({ id, firstName });
    expect(await ensureOne(phone, 'User #654321')).toMatchObject({ id, firstName });
    expect(await ensureOne(phone, 'Ada Lindgrove')).toMatchObject({ id, firstName: 'Ada', lastName: 'Lindgrove' });
    expect(await ensureOne(phone, 'Eve')).toMatchObject({ id, firstName: 'Ada', lastName: 'Lindgrove' });
    expect(await record(id)).toMatchObject({ first_name: 'Ada', source: 'send' });
  });

  it('revives a deleted contact under its id, with its consent, name and source, without its groups', async () => {
    const phone = uniquePhone();
    const { id } = await ensureOne(phone, 'Ada', 'inbound');
    await account.api.patch(`/api/v1/contacts/${id}`, { opted_in: false });
    const before = await record(id);
    await account.api.post('/api/v1/groups/', { name: 'VIP', contact_ids: [id] });
    await account.api.delete(`/api/v1/contacts/${id}`);
    expect(await ensureOne(phone, 'Eve', 'campaign')).toMatchObject({ id, firstName: 'Ada', optedIn: false });
    expect(await record(id)).toEqual(before);
    expect((await account.api.get('/api/v1/groups/')).body.groups).toMatchObject([{ contact_count: 0 }]);
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(1);
  });

  it('becomes a separate contact in another account', async () => {
    const phone = uniquePhone();
    const { id } = await ensureOne(phone);
    account = await world.account();
    expect((await ensureOne(phone)).id).not.toBe(id);
  });
});

/** How long a statement with ten thousand numbers may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

describe('many numbers in one call', () => {
  const entriesOf = (count: number) =>
    Array.from({ length: count }, () => ({ phoneNumber: uniquePhone(), name: 'Ada' }));

  it('return nothing for an empty list', async () => {
    expect(await ensure([])).toEqual([]);
  });

  it('are ensured 10,000 at a time', async () => {
    const entries = entriesOf(10_000);
    const ensureAll = () =>
      world.unitOfWork.transaction((tx) => ensureContacts(account.accountId, entries, 'campaign', tx), {
        statementMs: STATEMENT_MS,
      });
    const made = await ensureAll();
    expect(new Set(made.map(({ phoneNumber }) => phoneNumber)).size).toBe(10_000);
    const found = await ensureAll();
    expect(new Map(found.map(({ id, phoneNumber }) => [phoneNumber, id]))).toEqual(
      new Map(made.map(({ id, phoneNumber }) => [phoneNumber, id])),
    );
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(10_000);
  });

  it('neither deadlock nor duplicate when parallel calls overlap in any order', async () => {
    const entries = entriesOf(60);
    const [known, unnamed] = [entries.slice(0, 20), entries.slice(20, 40)];
    await ensure(unnamed.map((entry) => ({ ...entry, name: null })));
    for (const { id } of await ensure(known)) await account.api.delete(`/api/v1/contacts/${id}`);
    const shuffled = (seed: number) =>
      entries.toSorted((a, b) => hash(a.phoneNumber, seed) - hash(b.phoneNumber, seed));
    const answers = await crowd(20, (seed) => ensure(shuffled(seed)));
    expect(new Set(answers.flatMap((contacts) => contacts.map(({ id }) => id))).size).toBe(60);
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(60);
  });
});

const hash = (text: string, seed: number) =>
  [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0) + seed) % 9973, 7);

/** A promise with its `resolve` function. */
const signal = () => {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

describe('the total of contacts', () => {
  it('is exact under concurrency, and does not wait for an open transaction', async () => {
    const { accountId } = account;
    const counted = async () => (await account.api.get('/api/v1/contacts/?limit=1')).body.total;
    const gate = signal();
    const inserted = signal();
    const slow = world.unitOfWork.transaction(async (tx) => {
      // The service's transactions may not be idle for long, which this one may have to be on a busy machine.
      await tx.rows('SET LOCAL idle_in_transaction_session_timeout = 0');
      await ensureContacts(accountId, [{ phoneNumber: uniquePhone(), name: null }], 'import', tx);
      inserted.resolve();
      await gate.promise;
    });
    try {
      await Promise.race([inserted.promise, slow]);
      await crowd(20, () => ensureOne(uniquePhone()));
      expect(await counted()).toBe(20);
    } finally {
      gate.resolve();
      await slow;
    }
    expect(await counted()).toBe(21);
    await ensureOne(uniquePhone());
    expect(await counted()).toBe(22);
  });
});
