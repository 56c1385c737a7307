import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MANIFEST } from '../../src/rooms.js';
import { draft } from '../campaigns/campaigns.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

const PEOPLE = 2_000;
const FIRST_WITH_KEYS = 'CreateNumberKeys1790000000088';

/**
 * People with two contacts each, by the last digit of their number: 0 to 2 opted out under one of them, of 3 to 5 one or
 * both are deleted, 6 have two threads, 7 are in a group twice, 8 were sent a campaign twice, 9 are to be.
 */
const SEED = `
  INSERT INTO contacts (account_id, id, phone_number, first_name, source, created_at, opted_in, consent_by, consent_at, deleted_at)
  SELECT $1, new_record_id(), CASE copy WHEN 1 THEN '52' ELSE '521' END || (5500000000 + n)::text, 'Person ' || n, 'import',
         now() - (3 - copy) * interval '1 day', NOT decides, CASE WHEN decides THEN CASE n % 10 WHEN 2 THEN 'account' ELSE 'person' END END,
         CASE WHEN decides THEN now() - interval '1 hour' END,
         CASE WHEN n % 10 = 5 OR n % 10 = 2 + copy THEN now() END
  FROM generate_series(1, $2::integer) AS n CROSS JOIN generate_series(1, 2) AS copy
  CROSS JOIN LATERAL (SELECT n % 10 = 0 AND copy = 1 OR n % 10 IN (1, 2) AND copy = 2 AS decides) d`;

describe('an upgrade of a database in which people have two contacts', () => {
  let databaseUrl: string;
  let accountId: string;
  let phoneId: string;
  let campaignId: string;
  let sentId: string;
  let session: ForeignSession;
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    const world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    try {
      const account = await world.account();
      ({ accountId } = account);
      phoneId = account.phone.id;
      const { name } = await approvedTemplate(world, account);
      // Strangers whose last digit means nothing here.
      [campaignId, sentId] = [
        await draft(account, name, ['4915112340003']),
        await draft(account, name, ['4915112340004']),
      ];
      await account.api.post('/api/v1/groups/', { name: 'All' });
    } finally {
      await world.stop();
    }
    await undo();
    session = await ForeignSession.open(databaseUrl);
    await seed();
    await migrate(databaseUrl, MANIFEST);
  });
  afterAll(() => session.close());

  const rows = <Row>(sql: string, ...more: unknown[]) => session.query<Row>(sql, [accountId, ...more]);
  const count = async (sql: string, ...more: unknown[]): Promise<number> =>
    (await rows<{ count: number }>(`SELECT count(*)::integer AS count ${sql}`, ...more))[0]?.count ?? 0;
  /** The people by the last digit of their number. */
  const OF = (digits: string) => `right(phone_number, 1) IN (${digits})`;

  async function undo(): Promise<void> {
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 2, ledger: CORE_LEDGER }).initialize();
    try {
      const since = MIGRATIONS.findIndex(({ name }) => name === FIRST_WITH_KEYS);
      for (let undone = since; undone < MIGRATIONS.length; undone += 1) {
        await dataSource.undoLastMigration({ transaction: 'each' });
      }
    } finally {
      await dataSource.destroy();
    }
  }

  async function seed(): Promise<void> {
    await rows(SEED, PEOPLE);
    await rows(
      `INSERT INTO consent_decisions (account_id, contact_id, opted_in, decided_by, decided_at)
       SELECT account_id, id, false, consent_by, consent_at FROM contacts WHERE account_id = $1 AND NOT opted_in`,
    );
    await rows(
      `WITH thread AS (
         INSERT INTO conversations (account_id, contact_id, business_phone_id, last_inbound_at, last_message_at, last_message_preview)
         SELECT account_id, id, $2, created_at, created_at, phone_number FROM contacts WHERE account_id = $1 AND ${OF("'6'")}
         RETURNING contact_id
       )
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status)
       SELECT $1, new_record_id(), 'in', contact_id, $2, 'text', 'Hello', 'received' FROM thread, generate_series(1, 2)`,
      phoneId,
    );
    await rows(
      `INSERT INTO group_members (account_id, group_id, contact_id)
       SELECT $1, g.id, c.id FROM contact_groups g JOIN contacts c ON c.account_id = $1 AND ${OF("'7'")} WHERE g.account_id = $1`,
    );
    await rows(
      `INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position)
       SELECT $1, $2, id, 1 + row_number() OVER () FROM contacts WHERE account_id = $1 AND ${OF("'9'")}`,
      campaignId,
    );
    await rows(
      `WITH sent AS (
         INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position, state, message_id, attempts)
         SELECT $1, $2, id, 1 + row_number() OVER (), 'claimed', new_record_id(), 1 FROM contacts WHERE account_id = $1 AND ${OF("'8'")}
         RETURNING contact_id, message_id
       )
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, campaign_id, message_type, content, status)
       SELECT $1, message_id, 'out', contact_id, $3, $2, 'template', 'Offer', 'accepted' FROM sent`,
      sentId,
      phoneId,
    );
    await rows("UPDATE campaigns SET status = 'completed' WHERE account_id = $1 AND id = $2", sentId);
  }

  it('keeps every opt-out from the first moment, whichever spelling it was made under', async () => {
    expect(
      await count(
        `FROM contacts WHERE account_id = $1 AND ${OF("'0', '1', '2'")} AND phone_number LIKE '52%' AND opted_in`,
      ),
    ).toBe(0);
    expect(await count(`FROM contacts WHERE account_id = $1 AND NOT opted_in AND phone_number LIKE '52%'`)).toBe(
      (PEOPLE / 10) * 6,
    );
    expect(await count("FROM identity_tasks WHERE account_id = $1 AND kind = 'duplicate'")).toBe(PEOPLE);
  });

  it('merges them all, in several processes of which some die', async () => {
    const left = () => count("FROM identity_tasks WHERE account_id = $1 AND kind IN ('duplicate', 'history')");
    const workers: World[] = [];
    try {
      for (let started = 0; started < 2; started += 1) {
        workers.push(await World.start({ databaseUrl, env: { PARLEY_ROLES: 'worker' } }));
      }
      for (const share of [0.8, 0.5]) {
        await until(
          'some are merged',
          async () =>
            (await count("FROM identity_tasks WHERE account_id = $1 AND kind = 'duplicate'")) < PEOPLE * share,
          240_000,
        );
        // What a process that is killed leaves: its transactions never happened.
        await session.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      await until('all are merged', async () => (await left()) === 0, 240_000);
      await until(
        'nothing is left',
        async () => {
          await rows('UPDATE identity_tasks SET due_at = now() WHERE account_id = $1 AND due_at > now()');
          return (await count('FROM identity_tasks WHERE account_id = $1')) === 0;
        },
        240_000,
      );
    } finally {
      for (const worker of workers) await worker.stop();
    }
  }, 1_200_000);

  it('loses and doubles nobody', async () => {
    // The strangers of the two campaigns are contacts too.
    const alive = (PEOPLE / 10) * 9;
    expect(await count('FROM contacts WHERE account_id = $1 AND deleted_at IS NULL')).toBe(alive + 2);
    expect(
      await rows(
        "SELECT sum(amount)::integer AS amount FROM counter_amounts WHERE account_id = $1 AND counter = 'contacts' AND subject_id = $1",
      ),
    ).toEqual([{ amount: alive + 2 }]);
    expect(await count('FROM contacts WHERE account_id = $1 AND is_duplicate')).toBe(0);
    expect(
      await count('FROM contacts WHERE account_id = $1 AND merged_into IS NOT NULL AND phone_number IS NULL'),
    ).toBe(PEOPLE);
    expect(
      await count(
        `FROM contacts WHERE account_id = $1 AND phone_number ~ '^52[0-9]{10}$' AND opted_in = (${OF("'0', '1', '2'")})`,
      ),
    ).toBe(0);
  });

  it('moves threads, messages, groups and recipients to the one that is left', async () => {
    const MERGED =
      'JOIN contacts c ON c.account_id = t.account_id AND c.id = t.contact_id AND c.merged_into IS NOT NULL';
    expect(await count('FROM conversations t WHERE t.account_id = $1')).toBe(PEOPLE / 10);
    expect(await count(`FROM conversations t ${MERGED} WHERE t.account_id = $1`)).toBe(0);
    expect(await count("FROM messages t WHERE t.account_id = $1 AND t.direction = 'in'")).toBe((PEOPLE / 10) * 4);
    expect(await count(`FROM messages t ${MERGED} WHERE t.account_id = $1 AND t.direction = 'in'`)).toBe(0);
    expect(await count('FROM group_members t WHERE t.account_id = $1')).toBe(PEOPLE / 10);
    expect(await count(`FROM group_members t ${MERGED} WHERE t.account_id = $1`)).toBe(0);
    const states = (id: string) =>
      rows(
        `SELECT t.state, c.merged_into IS NOT NULL AS merged, count(*)::integer AS people FROM campaign_recipients t
         JOIN contacts c ON c.account_id = t.account_id AND c.id = t.contact_id
         WHERE t.account_id = $1 AND t.campaign_id = $2 AND t.position > 0 GROUP BY 1, 2 ORDER BY 1, 2`,
        id,
      );
    expect(await states(campaignId)).toEqual([
      { state: 'cancelled', merged: true, people: PEOPLE / 10 },
      { state: 'pending', merged: false, people: PEOPLE / 10 },
    ]);
    expect(await states(sentId)).toEqual([
      { state: 'claimed', merged: false, people: PEOPLE / 10 },
      { state: 'claimed', merged: true, people: PEOPLE / 10 },
    ]);
  });
});
