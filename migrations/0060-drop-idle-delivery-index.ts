import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sweep finds due deliveries by hopping along webhook_deliveries_due_idx; the index over all accounts' due times
 * would only make each delivery dearer to write.
 */
export class DropIdleDeliveryIndex1790000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_deliveries_next_idx
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_next_idx ON webhook_deliveries (next_attempt_at) WHERE status = 'pending'
    `);
  }
}
