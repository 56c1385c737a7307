import pg from 'pg';
import { workerDatabase } from '../support/database.js';
import { withExtensions } from '../support/extension-records.js';
import { EXTENSION_LEDGERS, TENANT_TABLES, TENANT_VIEWS } from '../support/tenancy-tables.js';

/** Tenant tables whose primary key does not start with the account, and why. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  outbox: 'a queue of all accounts, taken in the order of its ids',
  unhandled_callbacks: 'a record for operators; some callbacks belong to no account',
};

/** Indexes of tenant tables that do not start with the account, for pipelines that serve all accounts. */
const OTHER_INDEXES = withExtensions('otherIndexes', {
  api_keys_prefix_key: 'authentication finds the account by the key’s prefix',
  business_accounts_waba_id_key: 'callbacks name the business account, not ours; it belongs to one account',
  business_phones_phone_number_id_key: 'callbacks name the phone, not the account; it belongs to one account',
  campaign_recipients_code_idx: 'the sweep looks for codes of settled recipients, of all accounts',
  campaigns_closing_idx: 'the sweep looks for campaigns whose time to send is over, of all accounts',
  campaigns_scheduled_idx: 'the scheduler starts what is due, of all accounts',
  idempotency_keys_created_idx: 'old keys of all accounts are dropped',
  outbox_pkey: 'see the table',
  parked_reports_look_idx: 'the sweep looks at what is due, of all accounts',
  sends_in_flight_lease_idx: 'the sweep looks for dead workers of all accounts',
  sends_in_flight_settle_idx: 'the sweep settles what is due, of all accounts',
  suppressions_look_idx: 'the suppression sweep looks for recent opt-outs of all accounts',
  template_looks_due_idx: 'the sweep looks at what is due, of all accounts',
  unhandled_callbacks_pkey: 'see the table',
});

const PARTITIONED = 'no foreign keys in or out of partitioned tables: partitions could not be dropped';

const WRITTEN_WITH_EVERY_MESSAGE = 'written by statements that have just read the row, which is never deleted';

/** Columns that refer to another table without a foreign key, and why. */
const UNBOUND_REFERENCES = withExtensions('unboundReferences', {
  'audit_entries.api_key_id': 'an entry never makes a change wait for the row of its key',
  'audit_entries.request_id': 'the id of an HTTP request, not of a row',
  'audit_entries.subject_id': 'of the table that subject_type names; entries outlive their subjects',
  'audit_entries.user_id': 'an entry never makes a change wait for the row of its user',
  'business_accounts.portfolio_id': 'the network’s id',
  'business_accounts.waba_id': 'the network’s id',
  'business_phones.phone_number_id': 'the network’s id',
  'campaign_recipients.campaign_id': PARTITIONED,
  'campaign_recipients.contact_id': PARTITIONED,
  'campaign_recipients.message_id': PARTITIONED,
  'consent_decisions.evidence_id': 'of what evidence_kind names, which may be no row; evidence may expire',
  'contacts.user_id': 'the network’s id',
  'contacts.wa_id': 'the network’s id',
  'conversation_entries.actor_id': 'a user, who is never deleted',
  'conversation_entries.previous_assignee_id': 'a user, who is never deleted',
  'conversations.answer_id': PARTITIONED,
  'conversations.business_phone_id': WRITTEN_WITH_EVERY_MESSAGE,
  'conversations.contact_id': WRITTEN_WITH_EVERY_MESSAGE,
  'counter_changes.subject_id': 'a row of any table, or nobody',
  'counters.subject_id': 'a row of any table, or nobody',
  'events.contact_id': PARTITIONED,
  'idempotency_keys.record_id': 'a row of any table, always read together with the account',
  'media_files.business_phone_id': 'history: a file may outlive its phone',
  'media_files.message_id': PARTITIONED,
  'media_files.network_media_id': 'the network’s id',
  'messages.agent_user_id': 'history: a message may outlive the agent who wrote it',
  'messages.business_phone_id': PARTITIONED,
  'messages.campaign_id': PARTITIONED,
  'messages.contact_id': PARTITIONED,
  'messages.context_message_id': 'a hint for readers: the quoted message may be gone, and is read with the account',
  'messages.network_message_id': 'the network’s id',
  'network_copies.business_phone_id': 'a copy may outlive its phone until its file is deleted',
  'network_copies.lease_id': 'names who uploads, not a row',
  'network_copies.network_media_id': 'the network’s id',
  'network_messages.message_id': PARTITIONED,
  'network_messages.network_message_id': 'the network’s id',
  'outbox.event_id': PARTITIONED,
  'parked_reports.network_message_id': 'the network’s id',
  'sends_in_flight.campaign_id': 'written with every batch; the campaign cannot go while its messages are in flight',
  'suppressions.evidence_id': 'as of consent_decisions',
  'templates.meta_template_id': 'the network’s id',
  'wallet_entries.campaign_id': 'an annotation of the ledger, which outlives campaigns',
  'webhook_attempts.delivery_id': PARTITIONED,
  'webhook_deliveries.endpoint_id': PARTITIONED,
  'webhook_deliveries.event_id': PARTITIONED,
});

describe('the schema', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: await workerDatabase() });
    await client.connect();
  });
  afterAll(() => client.end());

  const column = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ found: string }>(sql);
    return rows.map(({ found }) => found);
  };

  /** Our tables without partitions, which match their parents. */
  const OURS = `SELECT c.oid, c.relname FROM pg_class c
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  const TENANT = `SELECT o.oid, o.relname FROM (${OURS}) o
                  JOIN pg_attribute a ON a.attrelid = o.oid AND a.attname = 'account_id' AND NOT a.attisdropped`;
  /** Column names of a constraint or index, in order. */
  const namesOf = (table: string, numbers: string) =>
    `(SELECT array_agg(coalesce(a.attname, '(expression)') ORDER BY k.place)::text[]
      FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
      LEFT JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;

  it('lists every table with an account_id as a tenant table', async () => {
    expect(await column(`SELECT relname AS found FROM (${TENANT}) t ORDER BY relname`)).toEqual(
      [...TENANT_TABLES].sort(),
    );
  });

  it('lists every view of tenant tables', async () => {
    const views = `SELECT c.relname AS found FROM pg_class c
                   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
                   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'm') ORDER BY 1`;
    expect(await column(views)).toEqual([...TENANT_VIEWS].sort());
  });

  it('exempts only tables that belong to no account', async () => {
    const others = `SELECT relname AS found FROM (${OURS}) o WHERE relname NOT IN (SELECT relname FROM (${TENANT}) t)
                    ORDER BY relname`;
    expect((await column(others)).filter((table) => !EXTENSION_LEDGERS.includes(table))).toEqual([
      'accounts',
      'assignment_rotations',
      'configuration_epoch',
      'hash_keys',
      'network_apps',
      'organisations',
      'rate_limit_windows',
      'schema_migrations',
      // Of people, who may enter several accounts.
      'sessions',
      'sign_in_links',
      'sign_in_tries',
      'silence_looks',
      'sweep_lease',
      'users',
    ]);
  });

  it('requires the account in every row', async () => {
    const optional = `SELECT relname AS found FROM (${TENANT}) t
                      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'account_id' WHERE NOT a.attnotnull`;
    // A callback about an unknown phone belongs to no account.
    expect(await column(optional)).toEqual(['unhandled_callbacks']);
  });

  it('starts every primary key with the account', async () => {
    const keyed = `SELECT t.relname FROM (${TENANT}) t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
                   WHERE ${namesOf('t.oid', 'k.conkey')}[1] = 'account_id'`;
    expect(
      await column(`SELECT relname AS found FROM (${TENANT}) t WHERE relname NOT IN (${keyed}) ORDER BY relname`),
    ).toEqual(Object.keys(OTHER_KEYS).sort());
  });

  it('starts every index with the account', async () => {
    const others = `SELECT i.indexrelid::regclass::text AS found FROM (${TENANT}) t JOIN pg_index i ON i.indrelid = t.oid
                    WHERE (${namesOf('t.oid', 'i.indkey::int2[]')})[1] <> 'account_id' ORDER BY 1`;
    expect(await column(others)).toEqual(Object.keys(OTHER_INDEXES).sort());
  });

  it('keeps every reference between tenant tables within the account', async () => {
    const crossing = `SELECT k.conname AS found FROM (${TENANT}) t
      JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
      JOIN (${TENANT}) target ON target.oid = k.confrelid
      WHERE (${namesOf('t.oid', 'k.conkey')})[1] <> 'account_id' OR (${namesOf('target.oid', 'k.confkey')})[1] <> 'account_id'`;
    expect(await column(crossing)).toEqual([]);
  });

  it('refers outside the account only to the account itself, to users and to the operator’s apps', async () => {
    const outside = `SELECT DISTINCT k.confrelid::regclass::text AS found FROM (${TENANT}) t
      JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
      WHERE k.confrelid NOT IN (SELECT oid FROM (${TENANT}) tenant) ORDER BY 1`;
    expect(await column(outside)).toEqual(['accounts', 'network_apps', 'users']);
  });

  it('has a foreign key for every column that refers to another row', async () => {
    const unbound = `SELECT t.relname || '.' || a.attname AS found FROM (${TENANT}) t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE a.attname LIKE '%\\_id' AND a.attname <> 'account_id' AND NOT EXISTS (
        SELECT FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'f' AND a.attnum = ANY (k.conkey))
      ORDER BY 1`;
    expect(await column(unbound)).toEqual(Object.keys(UNBOUND_REFERENCES).sort());
  });

  it('rejects a row that refers to another account', async () => {
    const [mine, theirs, owner, group, contact] = await column(
      'SELECT gen_random_uuid()::text AS found FROM generate_series(1, 5)',
    );
    await client.query('BEGIN');
    try {
      await client.query(
        `INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Olive Owner', $1::uuid || '@example.test', 'owner')`,
        [owner],
      );
      await client.query(
        `INSERT INTO accounts (id, owner_id, name) SELECT id, $1, 'Test account' FROM unnest($2::uuid[]) AS id`,
        [owner, [mine, theirs]],
      );
      await client.query(`INSERT INTO contact_groups (account_id, id, name) VALUES ($1, $2, 'Mine')`, [mine, group]);
      await client.query(
        `INSERT INTO contacts (account_id, id, phone_number, first_name, source) VALUES ($1, $2, '4915112345678', 'Theirs', 'api')`,
        [theirs, contact],
      );
      await expect(
        client.query('INSERT INTO group_members (account_id, group_id, contact_id) VALUES ($1, $2, $3)', [
          mine,
          group,
          contact,
        ]),
      ).rejects.toMatchObject({ constraint: 'group_members_contact_fkey' });
    } finally {
      await client.query('ROLLBACK');
    }
  });
});
