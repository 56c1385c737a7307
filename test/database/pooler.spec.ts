import { BackgroundUnitOfWork } from '../../src/database/unit-of-work.js';
import { MANIFEST } from '../../src/rooms.js';
import { PartitionSweep } from '../../src/upkeep/partition.sweep.js';
import { crowd } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { PgBouncer, pgbouncerFound } from '../support/pgbouncer.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** Fewer sessions than Parley has connections, so that they change hands all the time. */
const SERVER_CONNECTIONS = 4;

/** The documented settings for use behind a pooler, set on the database because tests share a role. */
const SETTINGS = [
  "statement_timeout = '5s'",
  "lock_timeout = '2s'",
  "idle_in_transaction_session_timeout = '10s'",
  'enable_partition_pruning = off',
];

/** Sessions that do not go through the pooler. */
const OTHER_SESSIONS = ['parley-background', 'parley-listen', 'parley-queues', ...MANIFEST.queues];

if (!pgbouncerFound) console.warn('pgbouncer is not on the PATH: the tests of transaction-mode poolers are left out');

(pgbouncerFound ? describe : describe.skip)('behind a transaction-mode pooler', () => {
  let bouncer: PgBouncer;
  let foreign: ForeignSession;
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    const url = await freshDatabase();
    foreign = await ForeignSession.open(url);
    for (const setting of SETTINGS) {
      await foreign.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET ${setting}`);
    }
    bouncer = await PgBouncer.start(url, SERVER_CONNECTIONS);
    world = await World.start({ databaseUrl: bouncer.url, env: { DATABASE_DIRECT_URL: url } });
    account = await world.account();
  });
  afterAll(async () => {
    await world.stop();
    await bouncer.stop();
    await foreign.close();
  });

  const makeContact = async () => {
    const { status, body } = await account.api.post<{ contact: { id: string; phone_number: string } }>(
      '/api/v1/contacts/',
      { phone_number: uniquePhone(), first_name: 'Ada' },
    );
    expect(status).toBe(201);
    return body.contact;
  };

  it('serves parallel reads and writes on fewer sessions than connections', async () => {
    const answers = await crowd(60, (n) =>
      n % 2 === 0
        ? account.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Grace' })
        : account.api.get('/api/v1/contacts/?search=Grace'),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const [row] = await foreign.query<{ sessions: string }>(
      `SELECT count(*) AS sessions FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'foreign'
         AND application_name <> ALL (string_to_array('${OTHER_SESSIONS.join()}', ','))`,
    );
    expect(Number(row?.sessions)).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  });

  it('uses no named statements', async () => {
    const { unitOfWork } = world;
    const statement = 'SELECT pg_sleep($1)::text AS slept, (SELECT count(*) FROM pg_prepared_statements) AS named';
    const onEach = () => unitOfWork.autocommit.row(statement, [0.3]);
    const named = await crowd(SERVER_CONNECTIONS, onEach, SERVER_CONNECTIONS);
    expect(named).toEqual(named.map(() => ({ slept: '', named: 0 })));
  });

  it('has timeouts everywhere: from the role’s settings, and its own within transactions', async () => {
    const settings =
      "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock";
    const { unitOfWork } = world;
    const background = world.parley.app.get(BackgroundUnitOfWork);
    expect(await unitOfWork.autocommit.row(settings)).toEqual({ statement: '5s', lock: '2s' });
    expect(await background.autocommit.row(settings)).toEqual({ statement: '30s', lock: '2s' });
    const bulk = unitOfWork.transaction((tx) => tx.row(settings), { statementMs: 60_000 });
    expect(await bulk).toEqual({ statement: '1min', lock: '2s' });
    const usual = unitOfWork.transaction(async (tx) => {
      await foreign.query('SELECT 1');
      return tx.row(settings);
    });
    expect(await usual).toEqual({ statement: '5s', lock: '2s' });
  });

  it('answers 503 for a row locked by another session, in a transaction and without one', async () => {
    const { id } = await makeContact();
    const { impatient } = account.api;
    await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
    try {
      const answers = await Promise.all([
        impatient.patch(`/api/v1/contacts/${id}`, { first_name: 'Grace' }),
        impatient.delete(`/api/v1/contacts/${id}`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    } finally {
      await foreign.release();
    }
  });

  it('sends a message and a campaign and receives their reports', async () => {
    const { name } = await approvedTemplate(world, account);
    await world.simulator.behave({ status_delay_ms: 5, callback_batch: 50 });
    const sent = await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: uniquePhone() });
    expect(sent.status).toBe(200);
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Pooled',
      template_name: name,
      contacts: Array.from({ length: 300 }, () => ({ phone: uniquePhone() })),
    });
    expect((await account.api.post(`/api/v1/campaigns/${body.campaign_id}/send`)).status).toBe(202);
    await until('every recipient has read it', async () => {
      const { body: stats } = await account.api.get(`/api/v1/campaigns/${body.campaign_id}/stats`);
      return stats.campaign_status === 'completed' && stats.read_count === 300;
    });
  });

  it('imports contacts, with a staging table within one transaction', async () => {
    const rows = Array.from({ length: 1000 }, () => `${uniquePhone()},Ada`);
    const imports = await Promise.all(
      [rows.slice(0, 500), rows.slice(500)].map((part) =>
        account.api.post('/api/v1/contacts/import', undefined, {
          raw: ['phone_number,first_name', ...part].join('\n'),
          headers: { 'content-type': 'text/csv' },
        }),
      ),
    );
    expect(imports.map(({ status, body }) => [status, body.created])).toEqual([
      [200, 500],
      [200, 500],
    ]);
  });

  it('creates and drops partitions over a direct connection', async () => {
    await foreign.query(
      `CREATE TABLE events_20200101 (LIKE events INCLUDING ALL);
       ALTER TABLE events ATTACH PARTITION events_20200101
         FOR VALUES FROM ('016f5e66-e800-0000-0000-000000000000') TO ('016f638d-4400-0000-0000-000000000000')`,
    );
    // Leaves what is in use, such as by a sweep of the worker, to the next time.
    await until('it is dropped', async () => {
      await world.parley.app.get(PartitionSweep, { strict: false }).sweep();
      const [row] = await foreign.query<{ found: boolean }>(
        "SELECT to_regclass('events_20200101') IS NOT NULL AS found",
      );
      return row?.found === false;
    });
  });
});
