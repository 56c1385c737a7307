import { cancelCampaign, failCampaign } from '../../src/campaigns/campaign.queries.js';
import { partitionAt } from '../../src/database/schema/partitions.js';
import { DAY } from '../../src/values/clock.js';
import { newRecordId, type RecordId } from '../../src/values/record-id.js';
import { eventually, Hopeless, until } from '../support/until.js';
import { idAt, UpkeepDatabase } from './upkeep-database.js';

const EVENTS = { table: 'events', period: 'day', fillfactor: 100 } as const;
const MESSAGES = { table: 'messages', period: 'month', fillfactor: 50 } as const;
const RECIPIENTS = { table: 'campaign_recipients', period: 'month', fillfactor: 70 } as const;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const KEEP_100_DAYS = { MESSAGE_RETENTION_DAYS: '100' };

describe('the partition sweep', () => {
  let database: UpkeepDatabase;
  beforeEach(async () => {
    database = await UpkeepDatabase.open();
    // One moment for the whole test: what is kept depends on the day, and midnight may come in between.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.close();
  });

  const logEvent = async (days: number): Promise<string> => {
    await database.unitOfWork.autocommit.affected(...database.event(idAt(ago(days))));
    return partitionAt(EVENTS, ago(days)).name;
  };
  const events = () => database.partitionsOf('events');

  it('drops only the days past RETENTION_DAYS', async () => {
    const [old, older, kept] = [await logEvent(32), await logEvent(45), await logEvent(30)];
    await database.sweepUntilGone([old, older]);
    expect(await events()).toContain(kept);
    await database.sweepUntilGone([kept], { RETENTION_DAYS: '10' });
  });

  it('creates partitions for the coming days', async () => {
    await database.dropPartitions('events');
    await database.sweepPartitions();
    expect(await events()).toContain(partitionAt(EVENTS, ago(-5)).name);
  });

  it('waits for a dump without blocking traffic, and drops when it is over', async () => {
    const [old, older] = [await logEvent(45), await logEvent(40)];
    await database.foreign.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await database.foreign.query('SELECT count(*) FROM events');
    // Any lock wait fails the writer; a slow machine does not.
    const writer = await database.connect('-c lock_timeout=200');
    const sweepWaits = async (): Promise<boolean> => {
      const { rows } = await writer.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    const write = async (): Promise<void> => {
      const id = newRecordId();
      await writer.query(...database.event(id));
      const { rows } = await writer.query('SELECT id FROM events WHERE id = $1', [id]);
      if (rows[0]?.id !== id) throw new Error(`${id} cannot be read`);
    };
    let writtenMeanwhile = 0;
    await until('something is written while a sweep waits', async () => {
      let sweeping = true;
      const swept = database.sweepPartitions().finally(() => {
        sweeping = false;
      });
      while (sweeping) {
        const waited = await sweepWaits();
        await write().catch((error: Error) => {
          throw new Hopeless(error.message);
        });
        if (waited && (await sweepWaits())) writtenMeanwhile += 1;
      }
      await swept;
      return writtenMeanwhile > 0;
    });
    expect(await database.exists(old)).toBe(true);
    // It cannot finish the drop either while the dump reads.
    await database.sweepPartitions();
    expect(await database.exists(old)).toBe(true);
    expect(await database.count(`FROM events WHERE id < record_id_bound(now() - interval '1 day')`)).toBe(2);
    await database.foreign.query('COMMIT');
    await database.sweepUntilGone([old, older]);
  });

  it('finishes an interrupted drop: a pending detach', async () => {
    const old = await logEvent(45);
    await database.foreign.query('BEGIN');
    await database.foreign.query('SELECT count(*) FROM events');
    await database.sweepPartitions();
    await database.foreign.query('ROLLBACK');
    expect(await events()).not.toContain(old);
    expect(await database.exists(old)).toBe(true);
    await database.sweepUntilGone([old]);
  });

  it('finishes an interrupted drop: a detached table', async () => {
    const old = await logEvent(45);
    await database.foreign.query(`ALTER TABLE events DETACH PARTITION ${old}`);
    await database.sweepUntilGone([old]);
  });

  /** Starts to drop a day while the table is being read, which leaves it half detached. */
  const halfDetached = async (days: number): Promise<string> => {
    const name = await logEvent(days);
    await database.foreign.query('BEGIN');
    await database.foreign.query('SELECT count(*) FROM events');
    await database.sweepPartitions({ RETENTION_DAYS: '3' });
    await database.foreign.query('ROLLBACK');
    expect(await events()).not.toContain(name);
    expect(await database.exists(name)).toBe(true);
    return name;
  };
  const changeSchema = () => database.foreign.query('ALTER TABLE events ADD COLUMN colour text');

  it('finishes a drop interrupted before a deployment that changed the table’s columns', async () => {
    const old = await halfDetached(45);
    await changeSchema();
    const other = await logEvent(40);
    await database.sweepUntilGone([old, other]);
    await logEvent(45);
    expect(await database.count('FROM events')).toBe(1);
  });

  it('yields to traffic when this requires a lock on the whole table', async () => {
    const old = await halfDetached(45);
    await changeSchema();
    await database.foreign.query('BEGIN');
    await database.foreign.query('SELECT count(*) FROM events');
    // Half of what a sweep waits for locks that stop nobody. A busy machine may end the short wait for this one late.
    const writer = await database.connect('-c lock_timeout=1000');
    await until('a sweep does not hold up the writer', async () => {
      let sweeping = true;
      const swept = database.sweepPartitions().finally(() => {
        sweeping = false;
      });
      try {
        while (sweeping) await writer.query(...database.event(newRecordId()));
      } finally {
        await swept;
      }
      return true;
    });
    expect(await database.exists(old)).toBe(true);
    await database.foreign.query('ROLLBACK');
    await database.sweepUntilGone([old]);
  });

  it.each([
    ['half detached', halfDetached],
    [
      'detached',
      async (days: number) => {
        const name = await logEvent(days);
        await database.foreign.query(`ALTER TABLE events DETACH PARTITION ${name}`);
        return name;
      },
    ],
  ])('recreates a day that was %s before the columns changed and must be kept after all', async (_, detach) => {
    const name = await detach(6);
    await changeSchema();
    await until('it is a partition again', async () => {
      await database.sweepPartitions();
      return (await events()).includes(name);
    });
    await logEvent(6);
    expect(await database.count('FROM events')).toBe(1);
  });

  it('continues with the other tables when one fails', async () => {
    const old = await logEvent(45);
    const stray = partitionAt({ ...EVENTS, table: 'webhook_attempts' }, ago(45)).name;
    await database.foreign.query(`CREATE TABLE ${stray} (id uuid)`);
    await database.foreign.query(`CREATE VIEW watched AS SELECT * FROM ${stray}`);
    await database.sweepUntilGone([old]);
    expect(await database.exists(stray)).toBe(true);
  });

  it('reattaches a day when retention is raised during its drop', async () => {
    const kept = await logEvent(6);
    await database.foreign.query('BEGIN');
    await database.foreign.query('SELECT count(*) FROM events');
    await database.sweepPartitions({ RETENTION_DAYS: '3' });
    await database.foreign.query('ROLLBACK');
    expect(await events()).not.toContain(kept);
    await until('it is a partition again', async () => {
      await database.sweepPartitions();
      return (await events()).includes(kept);
    });
    expect(await database.count(`FROM events WHERE id < record_id_bound(now() - interval '1 day')`)).toBe(1);
  });

  it('ignores a clock that is ahead of the database’s', async () => {
    const kept = await logEvent(5);
    jest.useFakeTimers({
      now: Date.now() + 300 * DAY,
      doNotFake: [
        'nextTick',
        'setImmediate',
        'setTimeout',
        'setInterval',
        'queueMicrotask',
        'performance',
        'clearTimeout',
        'clearImmediate',
        'clearInterval',
        'hrtime',
      ],
    });
    try {
      await database.sweepPartitions();
    } finally {
      jest.useRealTimers();
    }
    expect(await events()).toContain(kept);
  });

  it('leaves the work to a process already doing it', async () => {
    const old = await logEvent(45);
    await database.foreign.query('SELECT pg_advisory_lock(7275399)');
    await database.sweepPartitions();
    expect(await events()).toContain(old);
    await database.foreign.query('SELECT pg_advisory_unlock(7275399)');
    await Promise.all([database.sweepUntilGone([old]), database.sweepPartitions()]);
  });

  it('resets its connection', async () => {
    await database.sweepPartitions();
    const shown = await Promise.all(
      Array.from({ length: 8 }, () => database.unitOfWork.autocommit.row<{ lockTimeout: string }>('SHOW lock_timeout')),
    );
    expect(new Set(shown.map((row) => row?.lockTimeout))).toEqual(new Set(['0']));
    // Other tests use the same server.
    const here = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
    expect(await database.count(`FROM pg_locks WHERE locktype = 'advisory' AND ${here}`)).toBe(0);
  });

  it('ignores tables with similar names', async () => {
    await database.foreign.query('CREATE TABLE events_20200101_copy (id uuid)');
    await database.foreign.query('CREATE TABLE events_archive (id uuid)');
    await database.sweepPartitions();
    expect(await database.exists('events_20200101_copy')).toBe(true);
    expect(await database.exists('events_archive')).toBe(true);
  });

  describe('of messages and recipients', () => {
    let accountId: RecordId;
    beforeEach(async () => {
      accountId = await makeAccount(database);
    });

    /** Creates a campaign, its recipient and its message, all at the same time. */
    const campaignOf = async (days: number, status: string): Promise<RecordId> => {
      const id = idAt(ago(days));
      const { autocommit } = database.unitOfWork;
      await autocommit.affected(
        `INSERT INTO campaigns (account_id, id, name, template_id, template_name, business_phone_id, status, total_contacts)
         VALUES ($1, $2, 'Campaign', $1, 'template', $1, $3, 1)`,
        [accountId, id, status],
      );
      await autocommit.affected(
        'INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position) VALUES ($1, $2, $1, 0)',
        [accountId, id],
      );
      await autocommit.affected(
        `INSERT INTO counter_changes (account_id, counter, subject_id, amount)
         SELECT $1, counter, $2, 1 FROM unnest('{campaign.sent,campaign.sent,campaign.read}'::text[]) AS counter`,
        [accountId, id],
      );
      await messageOf(days, id);
      return id;
    };
    const messageOf = async (days: number, networkId: string): Promise<RecordId> => {
      const id = idAt(ago(days));
      const { autocommit } = database.unitOfWork;
      await autocommit.affected(
        `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, network_message_id)
         VALUES ($1, $2, 'out', $1, $1, 'text', 'accepted', $3)`,
        [accountId, id, networkId],
      );
      await autocommit.affected(
        'INSERT INTO network_messages (account_id, network_message_id, message_id, outbound) VALUES ($1, $2, $3, true)',
        [accountId, networkId, id],
      );
      return id;
    };
    const left = async () => ({
      campaigns: await database.count('FROM campaigns'),
      recipients: await database.count('FROM campaign_recipients'),
      messages: await database.count('FROM messages'),
      networkIds: await database.count('FROM network_messages'),
    });

    /** Sweeps until that is left: what is in use, such as by the server's own upkeep, stays until the next sweep. */
    const sweepUntilLeft = (expected: Partial<Awaited<ReturnType<typeof left>>>) =>
      eventually(async () => {
        await database.sweepPartitions(KEEP_100_DAYS);
        expect(await left()).toMatchObject(expected);
      });

    it('keeps them forever by default', async () => {
      await campaignOf(390, 'completed');
      await database.sweepPartitions();
      expect(await left()).toEqual({ campaigns: 1, recipients: 1, messages: 1, networkIds: 1 });
    });

    it('drops whole months, with their campaigns and the network’s ids', async () => {
      const old = await campaignOf(160, 'completed');
      await campaignOf(150, 'cancelled');
      const kept = await campaignOf(20, 'completed');
      await messageOf(170, 'old');
      await messageOf(1, 'new');
      await database.sweepUntilGone(
        [MESSAGES, RECIPIENTS].flatMap((table) => [150, 160].map((days) => partitionAt(table, ago(days)).name)),
        KEEP_100_DAYS,
      );
      await database.sweepUntilGone([partitionAt(MESSAGES, ago(170)).name], KEEP_100_DAYS);
      expect(await left()).toEqual({ campaigns: 1, recipients: 1, messages: 2, networkIds: 2 });
      const sums = await database.unitOfWork.autocommit.rows(
        `SELECT subject_id, counter, sum(amount)::integer AS amount FROM counter_amounts
         WHERE account_id = $1 AND subject_id = ANY ($2::uuid[]) GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 2`,
        [accountId, [old, kept]],
      );
      expect(sums).toEqual([
        { subjectId: kept, counter: 'campaign.read', amount: 1 },
        { subjectId: kept, counter: 'campaign.sent', amount: 2 },
      ]);
    });

    it.each(['draft', 'scheduled'])('keeps only the month with the recipients of a %s campaign', async (status) => {
      await campaignOf(240, 'completed');
      await campaignOf(200, status);
      await campaignOf(160, 'completed');
      await sweepUntilLeft({ campaigns: 1, recipients: 1, messages: 0, networkIds: 0 });
    });

    it('keeps the messages of all months a running campaign may use', async () => {
      await campaignOf(240, 'completed');
      await campaignOf(200, 'running');
      await campaignOf(160, 'completed');
      await sweepUntilLeft({ campaigns: 1, recipients: 1, messages: 2, networkIds: 2 });
    });

    it('keeps a campaign that ended recently, however old it is', async () => {
      const id = await campaignOf(200, 'completed');
      await database.foreign.query('UPDATE campaigns SET completed_at = $2 WHERE id = $1', [id, ago(50)]);
      await database.sweepPartitions(KEEP_100_DAYS);
      expect(await left()).toMatchObject({ campaigns: 1, recipients: 1 });
    });

    it.each([
      ['was cancelled', (id: RecordId) => cancelCampaign(accountId, id, database.unitOfWork.autocommit)],
      [
        'failed',
        (id: RecordId) =>
          failCampaign(
            accountId,
            id,
            'the token expired',
            { from: ['running'], run: null },
            database.unitOfWork.autocommit,
          ),
      ],
    ])('keeps a campaign that %s recently, since it can be sent again', async (_, end) => {
      await end(await campaignOf(200, 'running'));
      await database.sweepPartitions(KEEP_100_DAYS);
      expect(await left()).toMatchObject({ campaigns: 1, recipients: 1 });
    });

    it('clears only the previews of threads without newer messages', async () => {
      const threadOf = async (days: number): Promise<RecordId> => {
        const contactId = newRecordId();
        const insert = (sql: string, ...parameters: unknown[]) =>
          database.foreign.query(sql, [accountId, contactId, ...parameters]);
        await insert(
          `INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
           VALUES ($1, $2, $1, $3, 'Your parcel')`,
          ago(days),
        );
        await database.unitOfWork.autocommit.affected(
          `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status)
           VALUES ($1, $3, 'out', $2, $1, 'text', 'accepted')`,
          [accountId, contactId, idAt(ago(160))],
        );
        return contactId;
      };
      const [silent, alive, busy] = [await threadOf(160), await threadOf(1), await threadOf(160)];
      await database.foreign.query('BEGIN');
      await database.foreign.query('SELECT FROM conversations WHERE contact_id = $1 FOR UPDATE', [busy]);
      await database.sweepPartitions(KEEP_100_DAYS);
      await database.foreign.query('ROLLBACK');
      const { rows } = await database.foreign.query<{ contact_id: string; last_message_preview: string | null }>(
        'SELECT contact_id, last_message_preview FROM conversations',
      );
      expect(Object.fromEntries(rows.map((row) => [row.contact_id, row.last_message_preview]))).toEqual({
        [silent]: null,
        [alive]: 'Your parcel',
        [busy]: 'Your parcel',
      });
    });

    it('deletes many network ids in batches', async () => {
      const from = idAt(ago(200));
      await messageOf(200, 'make the partition');
      await database.foreign.query(
        `WITH made AS (
           INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, network_message_id)
           SELECT $1::uuid, overlay($2::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'out', $1::uuid, $1::uuid, 'text', 'accepted', 'wamid.' || n
           FROM generate_series(1, 11000) n RETURNING *
         )
         INSERT INTO network_messages SELECT account_id, network_message_id, id, true FROM made`,
        [accountId, from],
      );
      await sweepUntilLeft({ messages: 0, networkIds: 0 });
    });
  });
});

async function makeAccount(database: UpkeepDatabase): Promise<RecordId> {
  const id = newRecordId();
  // One id serves for all rows of the account: upkeep only needs them to exist.
  const statements = [
    `INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Olive Owner', 'owner@example.test', 'owner')`,
    `INSERT INTO accounts (id, owner_id, name) VALUES ($1, $1, 'Test account')`,
    `INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, '1')`,
    `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, access_token) VALUES ($1, $1, '1', '1', '1', '')`,
    `INSERT INTO templates (account_id, id, waba_id, business_phone_id, meta_template_id, name, language, category, status,
       network_status, parameter_format, header_format, body, components, variable_count, requires_media, is_carousel)
     VALUES ($1, $1, '1', $1, '1', 'template', 'en', 'MARKETING', 'APPROVED', 'APPROVED', 'POSITIONAL', 'NONE', '', '[]', 0, false, false)`,
  ];
  for (const sql of statements) await database.foreign.query(sql, [id]);
  return id;
}
