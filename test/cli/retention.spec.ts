import { parseEncryptionKeys } from '../../src/config/environment-values.js';
import { createPartitions, type PartitionedTable, partitionAt } from '../../src/database/schema/partitions.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { DAY } from '../../src/values/clock.js';
import { type RecordId, timeOfRecordId } from '../../src/values/record-id.js';
import { type AccountRows, insertAccount } from '../support/test-account.js';
import { idAt, UpkeepDatabase } from '../upkeep/upkeep-database.js';
import { answerOf, commandLine } from './command-line.js';

interface TableLine {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly oldest: string | null;
  readonly kept: string;
  readonly next: string | null;
  readonly at: string | null;
}

const EVENTS = { table: 'events', period: 'day', fillfactor: 100 } as const;
const MESSAGES = { table: 'messages', period: 'month', fillfactor: 50 } as const;
const RECIPIENTS = { table: 'campaign_recipients', period: 'month', fillfactor: 70 } as const;
/** One moment for the whole file: at midnight a day would begin between two lines of a test. */
const NOW = Date.now();
const ago = (days: number) => new Date(NOW - days * DAY);

describe('retention', () => {
  let database: UpkeepDatabase;
  let account: AccountRows;
  beforeEach(async () => {
    database = await UpkeepDatabase.open();
    const secrets = new SecretBox(parseEncryptionKeys(Buffer.alloc(32, 7).toString('base64')));
    const insert = () => insertAccount({}, secrets, (sql, parameters) => database.foreign.query(sql, parameters));
    await insert();
    account = await insert();
    await insert();
  });
  afterEach(() => database.close());

  const report = async (env: Readonly<Record<string, string>> = {}) => {
    // What this session has counted and not yet reported would be added to what ANALYZE counts.
    await database.foreign.query('SELECT pg_stat_force_next_flush()');
    await database.foreign.query('ANALYZE');
    const answer = await answerOf({ DATABASE_URL: database.url, ...env }, 'retention');
    const { bytes, tables } = answer as unknown as { bytes: number; tables: TableLine[] };
    return { bytes, tables, of: (name: string) => tables.find(({ table }) => table === name) };
  };
  // One session writes all rows, because PostgreSQL counts rows of other sessions with a delay.
  const store = async (table: PartitionedTable, days: number, sql: string, parameters: unknown[]): Promise<void> => {
    await createPartitions(database.unitOfWork.pool, table, [partitionAt(table, ago(days))]);
    await database.foreign.query(sql, parameters);
  };
  const messageOf = async (days: number): Promise<RecordId> => {
    const id = idAt(ago(days));
    await store(
      MESSAGES,
      days,
      `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status)
       VALUES ($1, $2, 'out', $1, $3, 'text', 'accepted')`,
      [account.accountId, id, account.phone.id],
    );
    return id;
  };
  const eventOf = async (days: number, accountId = account.accountId): Promise<RecordId> => {
    const id = idAt(ago(days));
    await store(EVENTS, days, ...database.event(id, accountId));
    return id;
  };

  it('names every table once, with its rows and bytes', async () => {
    const { bytes, tables, of } = await report();
    const { rows } = await database.foreign.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    expect(tables.map(({ table }) => table)).toEqual(rows.map(({ name }) => name));
    expect(of('accounts')).toMatchObject({ rows: 3, kept: 'for ever', next: null, at: null });
    expect(of('business_phones')).toMatchObject({ rows: 3, kept: 'for ever' });
    const { rows: sizes } = await database.foreign.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    expect(bytes).toBe(Number(sizes[0]?.bytes));
    expect(bytes).toBe(tables.reduce((sum, each) => sum + each.bytes, 0));
  });

  it('shows the oldest row of each table, of any account', async () => {
    const message = await messageOf(70);
    await messageOf(20);
    const begun = ago(3);
    await database.foreign.query(
      `INSERT INTO conversations (account_id, contact_id, business_phone_id, created_at) VALUES ($1, $1, $2, $3)`,
      [account.accountId, account.phone.id, begun],
    );
    const nobodys = idAt(ago(12));
    await database.foreign.query(`INSERT INTO unhandled_callbacks (id, reason, body) VALUES ($1, 'test', '{}')`, [
      nobodys,
    ]);
    const { of } = await report();
    const { rows } = await database.foreign.query<{ id: string }>('SELECT id FROM accounts ORDER BY id LIMIT 1');
    const oldestAccount = timeOfRecordId(String(rows[0]?.id)).toISOString();
    expect(of('accounts')?.oldest).toBe(oldestAccount);
    expect(of('messages')).toMatchObject({ rows: 2, oldest: timeOfRecordId(message).toISOString() });
    expect(of('conversations')).toMatchObject({ rows: 1, oldest: begun.toISOString() });
    expect(of('unhandled_callbacks')?.oldest).toBe(timeOfRecordId(nobodys).toISOString());
    expect(of('contacts')).toMatchObject({ rows: 0, oldest: null });
    expect(of('network_messages')).toMatchObject({ oldest: null, kept: 'as long as its messages' });
  });

  it('says which day is dropped next, and when', async () => {
    await eventOf(20);
    const { name, until } = partitionAt(EVENTS, ago(20));
    const goes = (days: number) => new Date(until.getTime() + days * DAY).toISOString();
    expect((await report()).of('events')).toMatchObject({ rows: 1, kept: '30 days', next: name, at: goes(30) });
    const { of } = await report({ RETENTION_DAYS: '90' });
    expect(of('events')).toMatchObject({ kept: '90 days', next: name, at: goes(90) });
  });

  it('says which month is dropped next, if any', async () => {
    await messageOf(70);
    expect((await report()).of('messages')).toMatchObject({ kept: 'for ever', next: null, at: null });
    const { name, until } = partitionAt(MESSAGES, ago(70));
    expect((await report({ MESSAGE_RETENTION_DAYS: '365' })).of('messages')).toMatchObject({
      kept: '365 days',
      next: name,
      at: new Date(until.getTime() + 365 * DAY).toISOString(),
    });
  });

  it('says what keeps an expired month', async () => {
    const id = idAt(ago(200));
    await store(
      RECIPIENTS,
      200,
      'INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position) VALUES ($1, $2, $1, 0)',
      [account.accountId, id],
    );
    const env = { MESSAGE_RETENTION_DAYS: '100' };
    const { name, until } = partitionAt(RECIPIENTS, ago(200));
    expect((await report(env)).of('campaign_recipients')).toMatchObject({
      next: name,
      at: new Date(until.getTime() + 100 * DAY).toISOString(),
    });
    await database.foreign.query(
      `INSERT INTO templates (account_id, id, waba_id, business_phone_id, meta_template_id, name, language, category, status,
         network_status, parameter_format, header_format, body, components, variable_count, requires_media, is_carousel)
       VALUES ($1, $1, $3, $2, '1', 'template', 'en', 'MARKETING', 'APPROVED', 'APPROVED', 'POSITIONAL', 'NONE', '', '[]', 0, false, false)`,
      [account.accountId, account.phone.id, account.phone.wabaId],
    );
    await database.foreign.query(
      `INSERT INTO campaigns (account_id, id, name, template_id, template_name, business_phone_id, status, total_contacts)
       VALUES ($1, $2, 'Waiting', $1, 'template', $3, 'draft', 1)`,
      [account.accountId, id, account.phone.id],
    );
    expect((await report(env)).of('campaign_recipients')).toMatchObject({
      oldest: timeOfRecordId(id).toISOString(),
      next: `${name}, once its campaigns have been finished for long enough`,
      at: null,
    });
  });

  it('says when rows that are deleted one by one expire', async () => {
    const at = ago(12);
    await database.foreign.query(`INSERT INTO unhandled_callbacks (id, reason, body) VALUES ($1, 'test', '{}')`, [
      idAt(at),
    ]);
    const { of } = await report();
    expect(of('unhandled_callbacks')).toMatchObject({
      rows: 1,
      kept: '30 days',
      next: 'the oldest rows',
      at: new Date(at.getTime() + 30 * DAY).toISOString(),
    });
    expect(of('idempotency_keys')).toMatchObject({ rows: 0, oldest: null, kept: '24 hours', next: null, at: null });
    expect(of('parked_reports')).toMatchObject({ kept: '7 days', next: null });
  });

  it('leaves out detached partitions', async () => {
    await eventOf(20);
    const { name } = partitionAt(EVENTS, ago(20));
    await database.foreign.query(`ALTER TABLE events DETACH PARTITION ${name}`);
    const { tables } = await report();
    expect(tables.filter(({ table }) => table.startsWith('events')).map(({ table }) => table)).toEqual(['events']);
  });

  it('looks beyond 1,000 accounts', async () => {
    await database.foreign.query(
      `INSERT INTO accounts (id, owner_id, name) SELECT new_record_id(), $1, 'Many' FROM generate_series(1, 2500)`,
      [account.ownerId],
    );
    const { rows } = await database.foreign.query<{ id: string }>('SELECT id FROM accounts ORDER BY id DESC LIMIT 1');
    const id = await eventOf(20, String(rows[0]?.id));
    expect((await report()).of('events')?.oldest).toBe(timeOfRecordId(id).toISOString());
  });

  it('prints a table without --json, and rejects malformed days', async () => {
    const { code, stdout } = await commandLine({ DATABASE_URL: database.url }, 'retention');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bytes +\d+\nfiles +\d+\nfile_bytes +\d+\n\ntable +rows +bytes +oldest +kept +next +at\n/);
    expect(stdout).toMatch(/\naccounts +\d+ +\d+ +20\d\d-\S+ +for ever +none +none\n/);
    await expect(commandLine({ DATABASE_URL: database.url, RETENTION_DAYS: 'ten' }, 'retention')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: 'configuration: RETENTION_DAYS must be a whole number from 1 to 3650 (got ten)\n',
    });
  });
});
