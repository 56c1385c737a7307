import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the audit entries of one action, the messages of one template, and the kinds of messages that are few: received, failed and clicked ones. No
 * index has the status, because each report changes it, and these updates touch no index (HOT).
 */
export class IndexLogFilters1790000000084 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_entries_action_idx ON audit_entries (account_id, action, id)
    `);
    await runner.query(`
      CREATE INDEX messages_template_idx ON messages (account_id, template_name, id) WHERE template_name IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX messages_received_idx ON messages (account_id, id) WHERE direction = 'in'
    `);
    await runner.query(`
      CREATE INDEX messages_failed_idx ON messages (account_id, id) WHERE failed_at IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX messages_clicked_idx ON messages (account_id, id) WHERE clicked_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX messages_clicked_idx, messages_failed_idx, messages_received_idx, messages_template_idx
    `);
    await runner.query(`
      DROP INDEX audit_entries_action_idx
    `);
  }
}
