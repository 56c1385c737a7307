import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Edits and deletions may come before the message that they change. */
export class LetCallbacksWaitForMessages1790000000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE unhandled_callbacks ADD COLUMN waits_for text');
    await runner.query(`
      COMMENT ON COLUMN unhandled_callbacks.waits_for IS 'a hash of what names the message that it changes; null: it waits for none'
    `);
    await runner.query(`
      CREATE INDEX unhandled_callbacks_waiting_idx ON unhandled_callbacks (account_id, waits_for) WHERE waits_for IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX unhandled_callbacks_waiting_idx');
    await runner.query('ALTER TABLE unhandled_callbacks DROP COLUMN waits_for');
  }
}
