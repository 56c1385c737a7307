import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations between a contact and a business phone, with their service window and assignee. Every message writes to
 * one, so there are no foreign keys on contact and phone: the writing statements have just read both, and neither is
 * ever deleted.
 */
export class CreateConversations1790000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversations (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'open' CONSTRAINT conversations_status_check CHECK (status IN ('open', 'resolved')),
        assigned_to uuid CONSTRAINT conversations_assigned_to_fkey REFERENCES users (id),
        assigned_at timestamptz,
        changed_at timestamptz,
        last_inbound_at timestamptz,
        auto_replied_at timestamptz,
        last_message_at timestamptz,
        last_message_preview text,
        created_at timestamptz NOT NULL DEFAULT now(),
        active_at timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(last_message_at, created_at)) STORED
      ) WITH (fillfactor = 80)
    `);
    await runner.query(`
      CREATE INDEX conversations_assigned_idx ON conversations (account_id, assigned_to, status, active_at, contact_id, business_phone_id) WHERE assigned_to IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX conversations_held_idx ON conversations (account_id, status, active_at, contact_id, business_phone_id) WHERE assigned_to IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX conversations_unassigned_idx ON conversations (account_id, status, active_at, contact_id, business_phone_id) WHERE assigned_to IS NULL
    `);
    await runner.query(`
      ALTER TABLE conversations ADD CONSTRAINT conversations_pkey PRIMARY KEY (account_id, contact_id, business_phone_id)
    `);
    await runner.query(`
      COMMENT ON COLUMN conversations.last_inbound_at IS 'the latest inbound message''s own time: the service window is open for 24 h from it'
    `);
    await runner.query(`
      COMMENT ON COLUMN conversations.changed_at IS 'when status or assignee last changed; each change is at least 1 ms after the one before, so that events of a conversation are ordered by their timestamps'
    `);
    await runner.query(`
      CREATE FUNCTION count_new_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'conversations.' || status, coalesce(assigned_to, '00000000-0000-0000-0000-000000000000'), count(*)
        FROM made GROUP BY 1, 2, 3;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER conversations_made AFTER INSERT ON conversations REFERENCING NEW TABLE AS made
        FOR EACH STATEMENT EXECUTE FUNCTION count_new_conversations()
    `);
    await runner.query(`
      CREATE FUNCTION recount_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        VALUES (OLD.account_id, 'conversations.' || OLD.status, coalesce(OLD.assigned_to, '00000000-0000-0000-0000-000000000000'), -1);
        IF TG_OP = 'UPDATE' THEN
          INSERT INTO counter_changes (account_id, counter, subject_id, amount)
          VALUES (NEW.account_id, 'conversations.' || NEW.status, coalesce(NEW.assigned_to, '00000000-0000-0000-0000-000000000000'), 1);
        END IF;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      -- By row and only for these columns: messages update conversations all the time and must not pay for this.
      CREATE TRIGGER conversations_changed AFTER UPDATE OF status, assigned_to ON conversations FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.assigned_to IS DISTINCT FROM NEW.assigned_to)
        EXECUTE FUNCTION recount_conversation()
    `);
    await runner.query(`
      CREATE TRIGGER conversations_gone AFTER DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION recount_conversation()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversations
    `);
    await runner.query(`
      DROP FUNCTION recount_conversation, count_new_conversations
    `);
  }
}
