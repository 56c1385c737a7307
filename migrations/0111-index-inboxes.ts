import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the conversations in which somebody has written, and those in which somebody waits. Conversations that only
 * campaigns have opened are in none of these indexes, so messages to them write nothing more than before. Conversations
 * cannot be written while the indexes are built: about a second for a million, of which few have been written in.
 *
 * Who wrote last in the past 24 hours, and has no answer, waits from the start.
 */
export class IndexInboxes1790000000111 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX conversations_written_idx ON conversations (account_id, status, active_at, contact_id, business_phone_id, assigned_to)
        WHERE last_inbound_at IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX conversations_inbound_idx ON conversations (account_id, status, last_inbound_at, contact_id, business_phone_id, assigned_to)
        WHERE last_inbound_at IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX conversations_waiting_idx ON conversations (account_id, waiting_since, contact_id, business_phone_id, assigned_to)
        WHERE waiting_since IS NOT NULL
    `);
    await runner.query(`
      UPDATE conversations SET waiting_since = last_inbound_at
      WHERE status = 'open' AND last_inbound_at > now() - interval '24 hours' AND last_message_at <= last_inbound_at
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX conversations_waiting_idx, conversations_inbound_idx, conversations_written_idx');
  }
}
