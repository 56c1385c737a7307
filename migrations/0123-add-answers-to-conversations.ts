import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever was answered by a message that fails waits again. */
export class AddAnswersToConversations1790000000123 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations ADD COLUMN answer_id uuid, ADD COLUMN waited_since timestamptz');
    await runner.query(`
      COMMENT ON COLUMN conversations.answer_id IS 'the message that ended the last wait, or began the conversation; null when it did not count'
    `);
    await runner.query(`
      COMMENT ON COLUMN conversations.waited_since IS 'what waiting_since was before answer_id; null: nobody waited'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations DROP COLUMN answer_id, DROP COLUMN waited_since');
  }
}
