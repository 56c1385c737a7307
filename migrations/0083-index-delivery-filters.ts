import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the deliveries of one kind, and the failed ones. An index of all statuses would be written twice per delivery;
 * failures are few, and the pending ones have an index already.
 */
export class IndexDeliveryFilters1790000000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_kind_idx ON webhook_deliveries (account_id, endpoint_id, kind, id)
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (account_id, endpoint_id, id) WHERE status = 'failed'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_deliveries_failed_idx, webhook_deliveries_kind_idx
    `);
  }
}
