import { ExpiredRowsSweep } from '../../src/upkeep/expired-rows.sweep.js';
import { DAY } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { idAt, UpkeepDatabase } from './upkeep-database.js';

describe('rows that expire one by one', () => {
  let database: UpkeepDatabase;
  beforeAll(async () => {
    database = await UpkeepDatabase.open();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => database.close());

  it('are unhandled callbacks after 30 days', async () => {
    const insert = (days: number, count: number) =>
      database.foreign.query(
        `INSERT INTO unhandled_callbacks (id, reason, body)
         SELECT overlay($1::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'test', '{}' FROM generate_series(1, $2::int) n`,
        [idAt(new Date(Date.now() - days * DAY)), count],
      );
    await insert(31, 4500);
    await insert(29, 3);
    await new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 365 }).sweep();
    expect(await database.count('FROM unhandled_callbacks')).toBe(3);
  });

  it('are kept while this machine’s clock is behind, or ahead of the database’s', async () => {
    const insert = (days: number) =>
      database.foreign.query(`INSERT INTO unhandled_callbacks (id, reason, body) VALUES ($1, 'test', '{}')`, [
        idAt(new Date(real() - days * DAY)),
      ]);
    const real = Date.now;
    await database.foreign.query('DELETE FROM unhandled_callbacks');
    await insert(31);
    await insert(5);
    const sweep = () => new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 365 }).sweep();
    jest.spyOn(Date, 'now').mockImplementation(() => real() - 10 * DAY);
    await sweep();
    expect(await database.count('FROM unhandled_callbacks')).toBe(2);
    jest.spyOn(Date, 'now').mockImplementation(() => real() + 300 * DAY);
    await sweep();
    expect(await database.count('FROM unhandled_callbacks')).toBe(1);
  });

  it('are entries of the audit log after AUDIT_RETENTION_DAYS, in every account', async () => {
    const create = async (): Promise<string> => {
      const [accountId, ownerId] = [newRecordId(), newRecordId()];
      await database.foreign.query(
        `INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Olive', 'olive@example.test', 'owner')`,
        [ownerId],
      );
      await database.foreign.query(`INSERT INTO accounts (id, owner_id, name) VALUES ($1, $2, 'Audited')`, [
        accountId,
        ownerId,
      ]);
      return accountId;
    };
    const insert = (accountId: string, days: number, count: number) =>
      database.foreign.query(
        `INSERT INTO audit_entries (account_id, id, actor, action, subject_type, subject_id)
         SELECT $1, overlay($2::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'cli', 'account.suspended', 'account', $1
         FROM generate_series(1, $3::int) n`,
        [accountId, idAt(new Date(Date.now() - days * DAY)), count],
      );
    for (const expired of [4500, 10]) {
      const accountId = await create();
      await insert(accountId, 91, expired);
      await insert(accountId, 89, 3);
    }
    await new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 365 }).sweep();
    expect(await database.count('FROM audit_entries')).toBe(4516);
    await new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 90 }).sweep();
    expect(await database.count('FROM audit_entries')).toBe(6);
  });

  it('are rate-limit windows unused for an hour', async () => {
    const used = (subject: string, minutesAgo: number[]) =>
      database.foreign.query('INSERT INTO rate_limit_windows (subject, times, counts, used) VALUES ($1, $2, $3, $4)', [
        subject,
        minutesAgo.map((minutes) => Date.now() - minutes * 60_000),
        minutesAgo.map(() => 1),
        minutesAgo.length,
      ]);
    for (let address = 0; address < 2500; address += 1) await used(`address:192.0.2.${address}`, [90, 61]);
    await used('key:used lately', [90, 59]);
    await used('key:used now', [0]);
    await used('key:never granted anything', []);
    await new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 365 }).sweep();
    const { rows } = await database.foreign.query('SELECT subject FROM rate_limit_windows ORDER BY subject');
    expect(rows).toEqual([{ subject: 'key:used lately' }, { subject: 'key:used now' }]);
  });

  it('do not delay a request: a window in use is kept', async () => {
    const request = await database.connect('');
    await database.foreign.query(`INSERT INTO rate_limit_windows (subject) VALUES ('address:in use')`);
    await request.query('BEGIN');
    await request.query(`SELECT * FROM take_rate_limit('address:in use', 1, 30, 60000)`);
    await new ExpiredRowsSweep(database.unitOfWork, { auditRetentionDays: 365 }).sweep();
    await request.query('COMMIT');
    expect(await database.count(`FROM rate_limit_windows WHERE subject = 'address:in use' AND used = 1`)).toBe(1);
  });
});
