import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of ours say which agent sent them, and what the caller calls them. */
export class AddSenderAndReferenceToMessages1790000000106 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN agent_user_id uuid, ADD COLUMN reference text');
    await runner.query(`
      COMMENT ON COLUMN messages.agent_user_id IS 'the agent on whose behalf the API sent it; null: none was named'
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.reference IS 'what the caller calls the message; null: nothing'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN agent_user_id, DROP COLUMN reference');
  }
}
