import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts messages per month and status, and webhook deliveries per day and endpoint, so that the total of a list needs
 * no scan. A counter is named after the partition of its rows, because partitions leave as a whole. Triggers count,
 * so that processes of the previous release count too while they are being replaced.
 */
export class CountRowsOfPartitions1790000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION day_of_record_id(id uuid) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint / 86400000)::integer
    `);
    await runner.query(`
      COMMENT ON FUNCTION day_of_record_id IS 'the day (UTC) in which a record was made, in days since 1970'
    `);
    await runner.query(`
      -- Rows first go by day, because naming a month costs more than counting a row, and so does taking an id of today apart.
      -- Pending messages are those in no other counter: a message that is sent at once is two changes instead of three.
      CREATE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
        since CONSTANT uuid := record_id_bound(today::timestamp AT TIME ZONE 'UTC');
        until CONSTANT uuid := record_id_bound((today + 1)::timestamp AT TIME ZONE 'UTC');
        day_number CONSTANT integer := today - date '1970-01-01';
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO counter_changes (account_id, counter, subject_id, amount)
          SELECT account_id, 'messages_' || to_char(date '1970-01-01' + day, 'YYYYMM') || kind, account_id, sum(amount)
          FROM (
            SELECT account_id, CASE WHEN id >= since AND id < until THEN day_number ELSE day_of_record_id(id) END AS day,
                   CASE WHEN status <> 'pending' THEN '.' || status END AS state, count(*) AS amount
            FROM new_rows GROUP BY 1, 2, 3
          ) stored
          CROSS JOIN LATERAL (SELECT '' AS kind UNION ALL SELECT state WHERE state IS NOT NULL) counted
          GROUP BY 1, 2;
        ELSE
          INSERT INTO counter_changes (account_id, counter, subject_id, amount)
          SELECT account_id, 'messages_' || to_char(date '1970-01-01' + day, 'YYYYMM') || '.' || status, account_id, sum(amount)
          FROM (
            SELECT account_id, CASE WHEN id >= since AND id < until THEN day_number ELSE day_of_record_id(id) END AS day,
                   status, sum(amount) AS amount
            FROM (SELECT account_id, id, status, -1 AS amount FROM old_rows
                  UNION ALL SELECT account_id, id, status, 1 FROM new_rows) moved
            WHERE status <> 'pending'
            GROUP BY 1, 2, 3
          ) counted
          GROUP BY 1, 2 HAVING sum(amount) <> 0;
        END IF;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER messages_stored AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_messages()
    `);
    await runner.query(`
      CREATE TRIGGER messages_moved AFTER UPDATE ON messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_messages()
    `);
    await runner.query(`
      CREATE FUNCTION count_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'webhook_deliveries_' || to_char(date '1970-01-01' + day, 'YYYYMMDD'), endpoint_id,
               CASE TG_OP WHEN 'DELETE' THEN -amount ELSE amount END
        FROM (SELECT account_id, day_of_record_id(id) AS day, endpoint_id, count(*) AS amount FROM changed GROUP BY 1, 2, 3) counted;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER webhook_deliveries_made AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_webhook_deliveries()
    `);
    await runner.query(`
      CREATE TRIGGER webhook_deliveries_gone AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_webhook_deliveries()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER webhook_deliveries_gone ON webhook_deliveries
    `);
    await runner.query(`
      DROP TRIGGER webhook_deliveries_made ON webhook_deliveries
    `);
    await runner.query(`
      DROP TRIGGER messages_moved ON messages
    `);
    await runner.query(`
      DROP TRIGGER messages_stored ON messages
    `);
    await runner.query(`
      DROP FUNCTION count_webhook_deliveries, count_messages
    `);
    await runner.query(`
      DROP FUNCTION day_of_record_id
    `);
    await runner.query(`
      DELETE FROM counter_changes WHERE counter ~ '^(messages|webhook_deliveries)_'
    `);
    await runner.query(`
      DELETE FROM counters WHERE counter ~ '^(messages|webhook_deliveries)_'
    `);
  }
}
