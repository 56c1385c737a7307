import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets conversations be listed by their latest activity: all of them, those of one assignee and those of nobody, each
 * status on its own; a list of both merges them.
 */
export class ListConversations1790000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations ADD COLUMN active_at timestamptz NOT NULL
        GENERATED ALWAYS AS (coalesce(last_message_at, created_at)) STORED
    `);
    await runner.query(`
      CREATE INDEX conversations_active_idx ON conversations (account_id, status, active_at, id)
    `);
    await runner.query(`
      CREATE INDEX conversations_assigned_idx ON conversations (account_id, assigned_to, status, active_at, id)
        WHERE assigned_to IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX conversations_unassigned_idx ON conversations (account_id, status, active_at, id)
        WHERE assigned_to IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX conversations_unassigned_idx, conversations_assigned_idx, conversations_active_idx
    `);
    await runner.query(`
      ALTER TABLE conversations DROP COLUMN active_at
    `);
  }
}
