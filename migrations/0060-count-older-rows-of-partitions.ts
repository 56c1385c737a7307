import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what the triggers have not counted: the rows from before they existed. One statement, so one snapshot, reads the
 * rows and the counters, and their difference is appended. Nothing is locked while millions of rows are counted.
 */
export class CountOlderRowsOfPartitions1790000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO counter_changes (account_id, counter, subject_id, amount)
      SELECT account_id, counter, subject_id, sum(amount)
      FROM (
        SELECT account_id, 'messages_' || to_char(date '1970-01-01' + day, 'YYYYMM') || kind AS counter,
               account_id AS subject_id, amount
        FROM (SELECT account_id, day_of_record_id(id) AS day, CASE WHEN status <> 'pending' THEN '.' || status END AS state,
                     count(*) AS amount
              FROM messages GROUP BY 1, 2, 3) m
        CROSS JOIN LATERAL (SELECT '' AS kind UNION ALL SELECT state WHERE state IS NOT NULL) counted
        UNION ALL
        SELECT account_id, 'webhook_deliveries_' || to_char(date '1970-01-01' + day, 'YYYYMMDD'), endpoint_id, amount
        FROM (SELECT account_id, day_of_record_id(id) AS day, endpoint_id, count(*) AS amount
              FROM webhook_deliveries GROUP BY 1, 2, 3) d
        UNION ALL
        SELECT account_id, counter, subject_id, -amount FROM counter_amounts
        WHERE counter ~ '^(messages|webhook_deliveries)_'
      ) found
      GROUP BY 1, 2, 3 HAVING sum(amount) <> 0
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM counter_changes WHERE counter ~ '^(messages|webhook_deliveries)_'
    `);
    await runner.query(`
      DELETE FROM counters WHERE counter ~ '^(messages|webhook_deliveries)_'
    `);
  }
}
