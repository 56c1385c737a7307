import { ContactErasure } from '../../src/contacts/erasure/contact-erasure.entity.js';
import { IDENTITY_COLUMN } from '../../src/contacts/erasure/contact-erasure.service.js';
import { isReplay, poster } from '../idempotency/keys.js';
import { openWindow } from '../messages/messages.js';
import { ApiClient, impatient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { age, erase, untilPass } from './erasing.js';
import { MISSING_KEY, seal, unreadableCounts } from './missing-key.js';

const CONTACTS = '/api/v1/contacts/';

interface Person {
  readonly id: string;
  readonly phone: string;
  readonly text: string;
}

describe('an erasure whose identifiers cannot be decrypted', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let lost: Person;
  let others: Person[];

  const start = async (roles: string) => {
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: roles, METRICS_PORT: '0' } });
  };
  const restart = async (roles: string) => {
    await world.stop();
    await start(roles);
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
  };
  const execute = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);

  /** A contact with a message, and a stored callback that only the number links to it. */
  const person = async (of: TestAccount = account): Promise<Person> => {
    const [phone, text] = [uniquePhone(), `secret${uniqueDigits()}`];
    await openWindow(world, of.phone, phone, { text });
    const { body } = await of.api.get<{ contacts: { id: string }[] }>(`${CONTACTS}?search=${phone}`);
    await execute(
      `INSERT INTO unhandled_callbacks (id, account_id, reason, body) VALUES (new_record_id(), $1, 'unknown', $2)`,
      of.accountId,
      JSON.stringify({ wa_id: phone }),
    );
    return { id: body.contacts[0]?.id ?? '', phone, text };
  };
  const erasureOf = ({ id }: Person): Promise<ContactErasure> =>
    world.unitOfWork.autocommit.manager.findOneByOrFail(ContactErasure, { contactId: id });
  /** The others' passes may be noted before that of the lost one is put off. */
  const expectWaiting = () =>
    eventually(async () =>
      expect(await erasureOf(lost)).toMatchObject({ passes: 0, inRun: false, isUnreadable: true }),
    );
  const sealLost = (under: 'missing key' | 'known key') =>
    seal(world, IDENTITY_COLUMN, `contact_id = '${lost.id}'`, under);
  const where = async (needles: readonly string[]) => columnsWith(await dumpOf(databaseUrl), needles);

  beforeEach(async () => {
    databaseUrl = await freshDatabase();
    await start('api');
    account = await world.account();
    lost = await person();
    others = [await person(), await person()];
  });
  afterEach(() => world.stop());

  /** All are due, and nothing has been removed in the background yet. */
  const eraseAll = async () => {
    for (const { id } of [lost, ...others]) await erase(account, id);
    expect(await sealLost('missing key')).toBe(1);
  };

  it('removes what is found by contact, completes the others, and finishes when the key is back', async () => {
    const neighbour = await world.account();
    const stranger = await person(neighbour);
    await eraseAll();
    await erase(neighbour, stranger.id);
    await restart('api,worker');
    for (const { id } of others) await untilPass(world, account, id, 1);
    await untilPass(world, neighbour, stranger.id, 1);
    expect(await where([...others, stranger].flatMap(({ phone, text }) => [phone, text]))).toEqual([]);
    expect(await where([lost.text])).toEqual([]);
    expect(await where([lost.phone])).toEqual(['unhandled_callbacks.body']);
    await expectWaiting();
    const waiting = await erasureOf(lost);
    expect(waiting.clearedAt).toBeNull();
    expect(waiting.identity).not.toBeNull();
    const hour = 3_600_000;
    expect(Number(waiting.dueAt) - Date.now()).toBeGreaterThan(hour / 2);
    expect((await unreadableCounts(world))['contact_erasures.identity']).toBeGreaterThan(0);

    // The later passes of the others clear their tokens, whatever becomes of the first.
    await age(world, account, 5);
    for (const { id } of others) expect((await untilPass(world, account, id, 2)).clearedAt).not.toBeNull();
    expect((await erasureOf(lost)).identity).not.toBeNull();

    await sealLost('known key');
    await age(world, account, 60);
    await untilPass(world, account, lost.id, 2);
    expect(await where([lost.phone])).toEqual([]);
    expect(await erasureOf(lost)).toMatchObject({ identity: null, isUnreadable: false, clearedAt: expect.any(Date) });
  });

  it('waits without a run, which would search all texts for nobody, until the key is back', async () => {
    await erase(account, lost.id);
    await sealLost('missing key');
    await execute('UPDATE contact_erasures SET is_unreadable = true WHERE contact_id = $1', lost.id);
    await age(world, account, 180);
    await execute(
      `CREATE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a run'; END $$`,
    );
    await execute(
      `CREATE TRIGGER refuse_run BEFORE UPDATE ON contact_erasures FOR EACH ROW WHEN (NEW.in_run) EXECUTE FUNCTION refuse_run()`,
    );
    await restart('api,worker');
    await until('the erasure is put off', async () => Number((await erasureOf(lost)).dueAt) > Date.now());
    expect(await erasureOf(lost)).toMatchObject({ passes: 0, isUnreadable: true });

    await execute('DROP TRIGGER refuse_run ON contact_erasures');
    await sealLost('known key');
    await age(world, account, 60);
    await untilPass(world, account, lost.id, 1);
    expect(await where([lost.phone, lost.text])).toEqual([]);
  });

  it('has not completed its pass when another process, which has the key, ends the run', async () => {
    await eraseAll();
    // A process without the key has searched all texts but the stored answers, and was killed.
    await execute('UPDATE contact_erasures SET in_run = true WHERE account_id = $1', account.accountId);
    await execute('UPDATE contact_erasures SET is_unreadable = true WHERE contact_id = $1', lost.id);
    await execute(
      `INSERT INTO erasure_runs (account_id, log_from, step) VALUES ($1, '00000000-0000-0000-0000-000000000000', 'answers')`,
      account.accountId,
    );
    await sealLost('known key');
    await restart('api,worker');
    await untilPass(world, account, others[0]?.id ?? '', 1);
    await expectWaiting();
    await age(world, account, 60);
    await untilPass(world, account, lost.id, 1);
    expect(await where([lost.phone])).toEqual([]);
  });

  it('is continued without the key by a process that lacks it, from where another was killed', async () => {
    await eraseAll();
    await execute('UPDATE contact_erasures SET in_run = true WHERE account_id = $1', account.accountId);
    await execute(
      `INSERT INTO erasure_runs (account_id, log_from, step) VALUES ($1, '00000000-0000-0000-0000-000000000000', 'events')`,
      account.accountId,
    );
    await restart('api,worker');
    for (const { id } of others) await untilPass(world, account, id, 1);
    expect(await erasureOf(lost)).toMatchObject({ passes: 0, isUnreadable: true });
  });

  it('makes only those replays fail that name somebody: 503 naming the key', async () => {
    const post = poster(account, CONTACTS);
    const postOnce = poster(impatient(account), CONTACTS);
    const naming = { phone_number: uniquePhone(), first_name: 'Ada' };
    const group = { name: 'Friends' };
    const first = await post(group, 'a group', '/api/v1/groups');
    expect((await post(naming, 'a contact')).status).toBe(201);
    await eraseAll();
    const refused = await until('the missing key is noticed', async () => {
      const answer = await postOnce(naming, 'a contact');
      return answer.text.includes(MISSING_KEY) && answer;
    });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 503,
      body: {
        error: 'unavailable',
        message:
          `contact_erasures.identity of ${lost.id} is encrypted with key "${MISSING_KEY}", which is not configured. ` +
          'Start the service with the key that encrypted it in ENCRYPTION_KEY',
      },
    });
    const failures = await unreadableCounts(world);
    const again = await post(group, 'a group', '/api/v1/groups');
    expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text]);
    // Nobody is looked for in an answer that names nobody.
    expect(await unreadableCounts(world)).toEqual(failures);
    await sealLost('known key');
    const replayed = await until('the answer is replayed', async () => {
      const answer = await postOnce(naming, 'a contact');
      return isReplay(answer) && answer;
    });
    expect(replayed.text).toContain(naming.phone_number);
  });
});
