import pg from 'pg';
import { createPartitions, PARTITIONED_TABLES, partitionsBetween } from '../../src/database/schema/partitions.js';
import { DAY } from '../../src/values/clock.js';

/** Number of accounts besides the largest one. */
const ACCOUNTS = 50;
/** How many days the messages and events go back. */
const MESSAGE_DAYS = 23 * 30;
const EVENT_DAYS = 39;
const CHUNK = 250_000;
const MESSAGES_PER_CONTACT = 5;
/** Messages per event within the retention. */
const MESSAGES_PER_EVENT = 10;

/**
 * Fills a database as if the service had run for two years: messages, contacts, conversations, network ids and events,
 * spread over their partitions. Runs no ANALYZE: the planner's statistics must come from the service and autovacuum.
 *
 * @param messages number of messages; 0 leaves the database unchanged
 * @param largest id of the account that owns half of them
 */
export async function fillDatabase(databaseUrl: string, messages: number, largest: string): Promise<void> {
  if (messages === 0) return;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c synchronous_commit=off' });
  const now = new Date();
  for (const table of PARTITIONED_TABLES) {
    const days = table.period === 'month' ? MESSAGE_DAYS : EVENT_DAYS;
    await createPartitions(pool, table, partitionsBetween(table, new Date(now.getTime() - days * DAY), now));
  }
  await pool.query(
    `CREATE FUNCTION pg_temp.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
       SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
         substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid $$`,
  );
  await pool.query(
    `CREATE TEMPORARY TABLE owner AS SELECT place, CASE WHEN place = 0 THEN $1::uuid ELSE new_record_id() END AS account_id,
            new_record_id() AS user_id, new_record_id() AS phone_id FROM generate_series(0, $2) AS place`,
    [largest, ACCOUNTS],
  );
  await pool.query(
    `INSERT INTO users (id, full_name, email, role) SELECT user_id, 'Olive Owner', user_id || '@example.test', 'owner' FROM owner WHERE place > 0`,
  );
  await pool.query(
    `INSERT INTO accounts (id, owner_id, name) SELECT account_id, user_id, 'Filled ' || place FROM owner WHERE place > 0`,
  );
  const contacts = Math.floor(messages / MESSAGES_PER_CONTACT);
  await pool.query(
    'CREATE TEMPORARY TABLE person (place integer PRIMARY KEY, account_id uuid, id uuid, phone_id uuid)',
  );
  for (let from = 0; from < contacts; from += CHUNK) {
    const until = Math.min(contacts, from + CHUNK);
    await pool.query(
      `INSERT INTO person SELECT i, o.account_id, pg_temp.id_at(now() - $3 * random() * interval '1 day'), o.phone_id
       FROM generate_series($1::int, $2::int - 1) AS i
       JOIN owner o ON o.place = CASE WHEN i % 2 = 0 THEN 0 ELSE 1 + (i / 2) % $4 END`,
      [from, until, MESSAGE_DAYS, ACCOUNTS],
    );
    await pool.query(
      `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, source)
       SELECT account_id, id, (4915200000000 + place)::text, 'Contact', place::text, 'import' FROM person
       WHERE place >= $1 AND place < $2`,
      [from, until],
    );
    await pool.query(
      `INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
       SELECT account_id, id, phone_id, now() - $3 * random() * interval '1 day', 'Your parcel is on its way' FROM person
       WHERE place >= $1 AND place < $2`,
      [from, until, MESSAGE_DAYS],
    );
  }
  for (let from = 0; from < messages; from += CHUNK) {
    const until = Math.min(messages, from + CHUNK);
    await pool.query(
      `WITH message AS (
         INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, template_name,
                               status, seen, network_message_id, created_at, accepted_at, sent_at, delivered_at, read_at)
         SELECT p.account_id, pg_temp.id_at(m.at), 'out', p.id, p.phone_id, 'template', 'Your parcel is on its way', 'bench',
                'read', 29, 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjVGM' || m.place, m.at, m.at, m.at, m.at, m.at
         FROM (SELECT i AS place, now() - (1 - i::float8 / $3) * $4 * interval '1 day' AS at
               FROM generate_series($1::int, $2::int - 1) AS i) m
         JOIN person p ON p.place = m.place % $5
         RETURNING account_id, id, network_message_id, created_at
       ), named AS (
         INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
         SELECT account_id, network_message_id, id, true FROM message
       )
       SELECT count(*) FROM message`,
      [from, until, messages, MESSAGE_DAYS, contacts],
    );
  }
  const events = Math.floor(messages / MESSAGES_PER_EVENT);
  for (let from = 0; from < events; from += CHUNK) {
    await pool.query(
      `INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT p.account_id, pg_temp.id_at(e.at), e.at, 'message.read', repeat('x', 400)
       FROM (SELECT i AS place, now() - random() * $3 * interval '1 day' AS at FROM generate_series($1::int, $2::int - 1) AS i) e
       JOIN person p ON p.place = e.place % $4`,
      [from, Math.min(events, from + CHUNK), EVENT_DAYS, contacts],
    );
  }
  await pool.end();
}
