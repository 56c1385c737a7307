import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets the conversations that somebody holds be listed by their latest activity, whoever it is. With those that nobody
 * holds they are all: an index over both would only make each message dearer.
 */
export class ListHeldConversations1790000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX conversations_held_idx ON conversations (account_id, status, active_at, id)
        WHERE assigned_to IS NOT NULL
    `);
    await runner.query(`
      DROP INDEX conversations_active_idx
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX conversations_active_idx ON conversations (account_id, status, active_at, id)
    `);
    await runner.query(`
      DROP INDEX conversations_held_idx
    `);
  }
}
