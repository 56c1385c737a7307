import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who was assigned to which conversation, and when: one row per assignment. */
export class CreateConversationAssignments1790000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_assignments (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        held_from timestamptz NOT NULL,
        held_until timestamptz,
        user_id uuid NOT NULL CONSTRAINT conversation_assignments_user_fkey REFERENCES users (id),
        previous_user_id uuid CONSTRAINT conversation_assignments_previous_user_fkey REFERENCES users (id),
        source text NOT NULL CONSTRAINT conversation_assignments_source_check
          CHECK (source IN ('manual', 'api', 'auto_reply', 'auto_inbound', 'auto_reopen')),
        assigned_by uuid CONSTRAINT conversation_assignments_assigned_by_fkey REFERENCES users (id),
        note text,
        CONSTRAINT conversation_assignments_conversation_fkey FOREIGN KEY (account_id, contact_id, business_phone_id)
          REFERENCES conversations (account_id, contact_id, business_phone_id) ON UPDATE CASCADE ON DELETE CASCADE,
        CONSTRAINT conversation_assignments_span_check CHECK (held_until > held_from)
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX conversation_assignments_present_key
        ON conversation_assignments (account_id, contact_id, business_phone_id) WHERE held_until IS NULL
    `);
    await runner.query(`
      ALTER TABLE conversation_assignments ADD CONSTRAINT conversation_assignments_pkey
        PRIMARY KEY (account_id, contact_id, business_phone_id, held_from)
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_assignments.held_until IS 'null while they hold it; at most one row of a conversation is so'
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_assignments.previous_user_id IS 'from whom it was taken directly: then this was a reassignment'
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_assignments.assigned_by IS 'null: an automatic rule'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversation_assignments
    `);
  }
}
