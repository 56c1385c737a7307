import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the deliveries to an endpoint that have failed for good since its last success. `failing_since` keeps its name
 * and now holds the time of the first of them; what an earlier release wrote there is replaced with the first count.
 */
export class CountFailedDeliveries1790000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD failed_deliveries integer NOT NULL DEFAULT 0
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.failed_deliveries IS 'deliveries that failed for good since the last success'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints DROP COLUMN failed_deliveries
    `);
  }
}
