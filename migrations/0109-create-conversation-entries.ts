import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What stands in a thread beside its messages: each change of its state, and notes. Assignments from before, and those of
 * a process of the earlier release during an upgrade, have no entry: the timeline reads them where they are stored.
 */
export class CreateConversationEntries1790000000109 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_entries (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT conversation_entries_kind_check
          CHECK (kind IN ('assigned', 'unassigned', 'resolved', 'reopened', 'note')),
        at timestamptz NOT NULL,
        source text NOT NULL CONSTRAINT conversation_entries_source_check
          CHECK (source IN ('manual', 'api', 'auto_reply', 'auto_inbound', 'auto_reopen')),
        actor_id uuid,
        assigned_to uuid,
        previous_assignee_id uuid,
        note text,
        reason text,
        CONSTRAINT conversation_entries_conversation_fkey FOREIGN KEY (account_id, contact_id, business_phone_id)
          REFERENCES conversations (account_id, contact_id, business_phone_id) ON UPDATE CASCADE ON DELETE CASCADE
      )
    `);
    await runner.query(`
      ALTER TABLE conversation_entries ADD CONSTRAINT conversation_entries_pkey
        PRIMARY KEY (account_id, contact_id, business_phone_id, id)
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_entries.id IS 'holds the time, like the ids of messages: both together are one line of time'
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_entries.actor_id IS 'null: nobody who is known, such as an automatic rule'
    `);
    await runner.query('ALTER TABLE conversation_assignments ADD COLUMN has_entry boolean NOT NULL DEFAULT false');
    await runner.query(`
      COMMENT ON COLUMN conversation_assignments.has_entry IS 'whether conversation_entries tells of it; older releases wrote none'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversation_assignments DROP COLUMN has_entry');
    await runner.query('DROP TABLE conversation_entries');
  }
}
