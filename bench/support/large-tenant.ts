import type { Database } from '../../src/database/unit-of-work.js';

// Seeds large tenants with set-based SQL, for the read bench and the tests of query plans.

/** The number of rows of each kind. */
export interface TenantSize {
  readonly contacts: number;
  readonly groups: number;
  /** At most one per contact. */
  readonly conversations: number;
  /** Members of the largest group; the others have 100. */
  readonly largestGroup: number;
  /** Messages of the longest conversation; the others have 2. */
  readonly longestThread: number;
}

/** The size at which every list must be fast. */
export const LARGE: TenantSize = {
  contacts: 200_000,
  groups: 2000,
  conversations: 200_000,
  largestGroup: 50_000,
  longestThread: 5000,
};
const MEMBERS_PER_GROUP = 100;
const MESSAGES_PER_THREAD = 2;
const AGENTS = 50;

const TABLES = [
  'contacts',
  'contact_groups',
  'group_members',
  'users',
  'conversations',
  'conversation_assignments',
  'messages',
];

/** The ids of a large tenant that benches and tests use in requests. */
export interface LargeTenant {
  readonly accountId: string;
  readonly organisationId: string;
  readonly businessPhoneId: string;
  readonly agentId: string;
  readonly contactId: string;
  /** Phone number of the contact with the longest conversation. */
  readonly contactPhone: string;
  readonly largestGroupId: string;
  readonly smallGroupId: string;
}

/**
 * Runs `fill` without indexes (except those of constraints) and foreign key checks on the tables of this file; then
 * restores both and vacuums. By far the fastest way to insert many rows. Skipping the checks is safe because the rows
 * are derived from the rows they refer to. Nothing else may use the database meanwhile.
 */
export async function fillInBulk(db: Database, fill: () => Promise<void>): Promise<void> {
  const indexes = await db.rows<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index i
     WHERE i.indrelid = ANY($1::text[]::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [TABLES],
  );
  const checks = await db.rows<{ name: string; owner: string }>(
    `SELECT quote_ident(tgname) AS name, tgrelid::regclass::text AS owner FROM pg_trigger
     WHERE tgrelid = ANY($1::text[]::regclass[]) AND tgisinternal`,
    [TABLES],
  );
  for (const { name } of indexes) await db.rows(`DROP INDEX ${name}`);
  for (const { name, owner } of checks) await db.rows(`ALTER TABLE ${owner} DISABLE TRIGGER ${name}`);
  await fill();
  for (const { name, owner } of checks) await db.rows(`ALTER TABLE ${owner} ENABLE TRIGGER ${name}`);
  for (const { definition } of indexes) await db.rows(definition);
  for (const table of [...TABLES, 'counters', 'counter_changes']) await db.rows(`VACUUM ANALYZE ${table}`);
  // Flush everything to disk before the measurements.
  await db.rows('CHECKPOINT');
}

/**
 * Creates contacts with 17 first names, 400 last names and 200 email domains, so that searches are selective. Phone
 * numbers are spread over a prefix like real ones.
 */
export async function seedContacts(accountId: string, count: number, db: Database): Promise<void> {
  await db.affected(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, email, company, tags, source, created_at)
     SELECT $1, new_record_id(), '4915' || lpad((n * 387420489 % 1000000000)::text, 9, '0'), first_name, last_name,
            lower(first_name || '.' || last_name) || n || '@mail' || n % 200 || '.example',
            'Company ' || n % 1000, ARRAY['tag' || n % 10], 'import', now() - n * interval '1 second'
     FROM (
       SELECT n,
              (ARRAY['Ada', 'Grace', 'Edda', 'Milo', 'Nora', 'Oskar', 'Petra', 'Quentin', 'Runa', 'Silas', 'Thea', 'Ulf',
                     'Vera', 'Willem', 'Xenia', 'Yorick', 'Zelda'])[1 + n % 17] AS first_name,
              (ARRAY['Lind', 'Har', 'Stein', 'Berg', 'Wald', 'Kron', 'Falk', 'Brom', 'Gruen', 'Thorn', 'Vik', 'Oster', 'Nym',
                     'Hazel', 'Quill', 'Rook', 'Salt', 'Umber', 'Wren', 'Yew'])[1 + n / 17 % 20]
                || (ARRAY['grove', 'bour', 'field', 'man', 'mark', 'holt', 'wick', 'dale', 'mere', 'stad', 'by', 'sen', 'ley',
                          'ford', 'gate', 'worth', 'combe', 'hurst', 'more', 'beck'])[1 + n / 340 % 20] AS last_name
       FROM generate_series(1, $2::bigint) n
     ) made`,
    [accountId, count],
  );
}

/** Fills an account with everything the API lists. The account must have a business phone and an organisation. */
export async function seedLargeTenant(accountId: string, size: TenantSize, db: Database): Promise<void> {
  await seedContacts(accountId, size.contacts, db);
  await db.affected(
    `INSERT INTO users (organisation_id, id, full_name, email, role, created_at)
     SELECT a.organisation_id, new_record_id(), 'Agent ' || n, 'agent' || n || '-' || a.id || '@example.test', 'agent',
            now() - n * interval '1 minute'
     FROM accounts a, generate_series(1, $2::integer) n WHERE a.id = $1`,
    [accountId, AGENTS],
  );
  await seedGroups(accountId, size, db);
  await seedConversations(accountId, size, db);
}

async function seedGroups(accountId: string, { groups, largestGroup }: TenantSize, db: Database): Promise<void> {
  await db.affected(
    `INSERT INTO contact_groups (account_id, id, name, description, created_at)
     SELECT $1, new_record_id(), 'Group ' || n, 'Everybody of round ' || n, now() - n * interval '1 hour'
     FROM generate_series(1, $2::integer) n`,
    [accountId, groups],
  );
  // The first group is large; each of the others has the contacts with one remainder of n / groups.
  await db.affected(
    `WITH place AS (
       SELECT id, row_number() OVER (ORDER BY created_at) - 1 AS n FROM contact_groups WHERE account_id = $1
     ), member AS (
       SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM contacts WHERE account_id = $1
     )
     INSERT INTO group_members (account_id, group_id, contact_id, added_at)
     SELECT $1, place.id, member.id, now() - member.n * interval '1 second'
     FROM member JOIN place ON place.n = 0 WHERE member.n < $2
     UNION ALL
     SELECT $1, place.id, member.id, now() - member.n * interval '1 second'
     FROM member JOIN place ON place.n = member.n % $3::bigint WHERE place.n > 0 AND member.n < $3::bigint * $4`,
    [accountId, largestGroup, groups, MEMBERS_PER_GROUP],
  );
}

async function seedConversations(
  accountId: string,
  { conversations, longestThread }: TenantSize,
  db: Database,
): Promise<void> {
  await db.affected(
    `INSERT INTO conversations
       (account_id, contact_id, business_phone_id, status, assigned_to, assigned_at, last_inbound_at, last_message_at,
        last_message_preview, created_at)
     SELECT $1, c.id, p.id, CASE WHEN c.n % 10 < 7 THEN 'open' ELSE 'resolved' END, u.id,
            CASE WHEN u.id IS NOT NULL THEN now() END, now() - c.n * interval '1 second', now() - c.n * interval '1 second',
            'Is my parcel on its way?', now() - c.n * interval '2 seconds'
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts WHERE account_id = $1) c
     CROSS JOIN (SELECT id FROM business_phones WHERE account_id = $1 ORDER BY is_primary DESC LIMIT 1) p
     LEFT JOIN (
       SELECT u.id, row_number() OVER (ORDER BY u.id) AS n FROM users u JOIN accounts a ON a.organisation_id = u.organisation_id
       WHERE a.id = $1
     ) u ON u.n = c.n * 7919 % 100
     WHERE c.n <= $2`,
    [accountId, conversations],
  );
  await db.affected(
    `INSERT INTO conversation_assignments (account_id, contact_id, business_phone_id, held_from, user_id, source, note)
     SELECT account_id, contact_id, business_phone_id, assigned_at, assigned_to, 'api', 'taken over'
     FROM conversations WHERE account_id = $1 AND assigned_to IS NOT NULL`,
    [accountId],
  );
  await db.affected(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status, created_at)
     SELECT t.account_id, new_record_id(), CASE WHEN m.n % 2 = 0 THEN 'in' ELSE 'out' END, t.contact_id, t.business_phone_id, 'text',
            'Is my parcel on its way?', CASE WHEN m.n % 2 = 0 THEN 'received' ELSE 'delivered' END, now()
     FROM (SELECT *, row_number() OVER (ORDER BY active_at DESC, contact_id DESC) AS n FROM conversations WHERE account_id = $1) t
     CROSS JOIN LATERAL generate_series(1, CASE WHEN t.n = 1 THEN $2::integer ELSE $3::integer END) m (n)`,
    [accountId, longestThread, MESSAGES_PER_THREAD],
  );
}

/** Looks up the ids of a seeded tenant. */
export async function largeTenant(accountId: string, db: Database): Promise<LargeTenant> {
  const found = await db.row<LargeTenant>(
    `SELECT a.id AS "accountId", a.organisation_id AS "organisationId",
            (SELECT p.id FROM business_phones p WHERE p.account_id = a.id AND p.is_primary) AS "businessPhoneId",
            (SELECT t.assigned_to FROM conversations t WHERE t.account_id = a.id AND t.assigned_to IS NOT NULL LIMIT 1)
              AS "agentId",
            (SELECT c.id FROM contacts c WHERE c.account_id = a.id LIMIT 1) AS "contactId",
            (SELECT n.subject_id FROM counter_amounts n WHERE n.account_id = a.id AND n.counter = 'group.members'
             GROUP BY n.subject_id ORDER BY sum(n.amount) DESC LIMIT 1) AS "largestGroupId",
            (SELECT n.subject_id FROM counter_amounts n WHERE n.account_id = a.id AND n.counter = 'group.members'
             GROUP BY n.subject_id ORDER BY sum(n.amount), n.subject_id LIMIT 1) AS "smallGroupId",
            (SELECT c.phone_number FROM conversations t JOIN contacts c ON c.account_id = t.account_id AND c.id = t.contact_id
             WHERE t.account_id = a.id ORDER BY t.active_at DESC, t.contact_id DESC LIMIT 1) AS "contactPhone"
     FROM accounts a WHERE a.id = $1`,
    [accountId],
  );
  if (found === null) throw new Error(`account ${accountId} does not exist`);
  return found;
}
