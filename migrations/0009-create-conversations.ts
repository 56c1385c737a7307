import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Threads between a contact and a business phone, with their service window and assignee. */
export class CreateConversations1790000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversations (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'open' CONSTRAINT conversations_status_check CHECK (status IN ('open', 'resolved')),
        assigned_to uuid CONSTRAINT conversations_assigned_to_fkey REFERENCES users (id),
        assigned_at timestamptz,
        last_inbound_at timestamptz,
        auto_replied_at timestamptz,
        last_message_at timestamptz,
        last_message_preview text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT conversations_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT conversations_thread_key UNIQUE (account_id, contact_id, business_phone_id),
        CONSTRAINT conversations_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id),
        CONSTRAINT conversations_business_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id)
      ) WITH (fillfactor = 80)
    `);
    await runner.query(`
      COMMENT ON COLUMN conversations.last_inbound_at IS 'the latest inbound message''s own time: the service window is open for 24 h from it (D55)'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversations
    `);
  }
}
