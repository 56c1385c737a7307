import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recipients of campaigns note when they replied. */
export class TellWhenRecipientsReplied1790000000117 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaign_recipients ADD COLUMN replied_at timestamptz');
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.replied_at IS 'when it first replied; null: it has not, or did before this was noted'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaign_recipients DROP COLUMN replied_at');
  }
}
