import { batchReadings } from '../../src/database/batching/micro-batch.js';
import { isContention } from '../../src/database/connections/transient-errors.js';
import { withRetries } from '../../src/database/connections/with-retries.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { mergeContacts } from '../../src/people/contact-merge.queries.js';
import { LearnedIdentitiesService } from '../../src/people/learned-identities.service.js';
import { isIdentityRace, learnNumber, movePerson } from '../../src/people/learning.js';
import type { PhoneNumber } from '../../src/values/phone-number.js';
import { upload } from '../consent/consent.js';
import { SEND } from '../messages/messages.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { CONTACTS, createContact, rowsOf } from './merging.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ statuses: [] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

/** The service's transactions may not be idle for long, which one of a test may have to be on a busy machine. */
const MAY_BE_IDLE = 'SET LOCAL idle_in_transaction_session_timeout = 0';

/** Does work in a transaction that commits once `meanwhile` waits for its locks. It takes no turn of the account. */
async function during<T>(work: (tx: Tx) => Promise<unknown>, meanwhile: () => Promise<T>): Promise<T> {
  let waiting: Promise<T> | null = null;
  await world.unitOfWork.transaction(async (tx) => {
    await tx.rows(MAY_BE_IDLE);
    const us = await tx.row<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await work(tx);
    waiting = meanwhile();
    waiting.catch(() => undefined);
    await until('the other one waits', () =>
      world.unitOfWork.autocommit.row('SELECT 1 AS found FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [
        us?.pid,
      ]),
    );
  });
  return waiting as unknown as Promise<T>;
}

describe('a contact that is being merged', () => {
  it('is sent to under the one that stays', async () => {
    const { name } = await approvedTemplate(world, account);
    const [one, two] = [await createContact(account), await createContact(account)];
    await account.api.delete(CONTACTS + two.id);
    const sent = await during(
      (tx) => mergeContacts(account.accountId, one.id, two.id, tx),
      () => account.api.post(SEND, { template_name: name, contact_phone: two.phone_number }),
    );
    expect(sent.status).toBe(200);
    expect(await rowsOf(world, account, 'SELECT contact_id FROM messages WHERE account_id = $1')).toEqual([
      { contactId: one.id },
    ]);
  });
});

const learned = (id: string, number: string) => (tx: Tx) =>
  learnNumber(account.accountId, id, number as PhoneNumber, tx);

describe('a number that is being learned', () => {
  it('cannot be given to another contact', async () => {
    const [one, two] = [await createContact(account), await createContact(account)];
    const numbers = [uniquePhone(), uniquePhone(), uniquePhone()] as const;
    const created = await during(learned(one.id, numbers[0]), () =>
      account.api.post(CONTACTS, { phone_number: numbers[0], first_name: 'Ada' }),
    );
    const changed = await during(learned(one.id, numbers[1]), () =>
      account.api.patch(CONTACTS + two.id, { phone_number: numbers[1] }),
    );
    expect([created.status, changed.status]).toEqual([409, 409]);
    const file = `phone_number,first_name\n${numbers[2]},Ada\n`;
    const imported = await during(learned(one.id, numbers[2]), () => upload(account, file));
    expect(imported.status).toBe(200);
    expect((await account.api.get(CONTACTS)).body).toMatchObject({ total: 2 });
    expect((await account.api.get(CONTACTS + one.id)).body).toMatchObject({ contact: { first_name: 'Ada' } });
  });
});

/** Attempts of a notice, which the network repeats when it met a lock for too long. */
const MAX_TRIES = 20;
const isRepeated = (error: unknown): boolean => isIdentityRace(error) || isContention(error);

describe('a number that its person is leaving', () => {
  it('is not given back to them by a notice that came late', async () => {
    const [first, second, third] = [uniquePhone(), uniquePhone(), uniquePhone()].map((number) => number as PhoneNumber);
    const former = await createContact(account, { phone_number: first });
    const current = await createContact(account, { phone_number: second });
    const moved = (id: string, to: PhoneNumber | undefined, minutesAgo: number) => (tx: Tx) => {
      const at = new Date(Date.now() - minutesAgo * 60_000);
      return movePerson(account.accountId, id, { phoneNumber: to ?? null, userId: null }, at, tx);
    };
    const late = () => world.unitOfWork.writes(account.accountId).transaction(moved(former.id, second, 20));
    await during(moved(current.id, third, 10), () => withRetries(late, isRepeated, MAX_TRIES));
    expect((await account.api.get(CONTACTS)).body).toMatchObject({ total: 1, contacts: [{ phone_number: third }] });
  });
});

describe('a contact that is being erased', () => {
  const numbersLeft = () =>
    rowsOf(world, account, 'SELECT phone_number FROM contacts WHERE account_id = $1 AND phone_number IS NOT NULL');

  it('takes a number with it that was just being learned', async () => {
    const { id } = await createContact(account);
    const erased = await during(learned(id, uniquePhone()), () => account.api.delete(`${CONTACTS}${id}?erase=true`));
    expect(erased.status).toBe(200);
    expect(await numbersLeft()).toEqual([]);
  });

  it('learns no number any more', async () => {
    const { id } = await createContact(account);
    const number = uniquePhone();
    await during(
      async (tx) => {
        await tx.rows('SELECT FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE', [account.accountId, id]);
        await tx.affected(
          `UPDATE contacts SET phone_number = NULL, first_name = '', deleted_at = now(), erased_at = now()
           WHERE account_id = $1 AND id = $2`,
          [account.accountId, id],
        );
      },
      async () => {
        const contact = { phoneNumber: uniquePhone() as PhoneNumber, userId: null };
        const told = { number: number as PhoneNumber, user: null };
        const people = world.parley.app.get(LearnedIdentitiesService);
        people.learn({ accountId: account.accountId, contactId: id, contact, waId: null }, told);
        await people.beforeApplicationShutdown();
      },
    );
    expect(await numbersLeft()).toEqual([]);
  });
});

describe('contacts that are locked for long', () => {
  it('are learned about afterwards, and those of other accounts meanwhile', async () => {
    const other = await world.account();
    const locked = await Promise.all(Array.from({ length: 3 }, () => createContact(account)));
    const free = await createContact(other);
    const people = world.parley.app.get(LearnedIdentitiesService);
    const learn = ({ accountId }: TestAccount, { id, phone_number }: { id: string; phone_number: string }) => {
      const contact = { phoneNumber: phone_number as PhoneNumber, userId: null };
      const told = { number: uniquePhone() as PhoneNumber, user: null };
      people.learn({ accountId, contactId: id, contact, waId: null }, told);
    };
    const known = (of: TestAccount) =>
      rowsOf(world, of, 'SELECT FROM contacts WHERE account_id = $1 AND wa_id IS NOT NULL');
    const session = await ForeignSession.open(world.environment.databaseUrl);
    try {
      await session.lock('contacts', 'account_id = $1', [account.accountId]);
      for (const contact of locked) learn(account, contact);
      learn(other, free);
      await until('the other account’s is known', async () => (await known(other)).length === 1);
      expect(await known(account)).toEqual([]);
      await until('a lock has been waited for', () =>
        batchReadings().some(({ name, isolated }) => name === 'people' && isolated > 0),
      );
    } finally {
      await session.close();
    }
    await until('all are known', async () => (await known(account)).length === locked.length);
  });
});
