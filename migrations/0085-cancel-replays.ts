import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells replays that were cancelled from those that looked at every event. */
export class CancelReplays1790000000085 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_replays ADD COLUMN cancelled boolean NOT NULL DEFAULT false
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_replays DROP COLUMN cancelled
    `);
  }
}
