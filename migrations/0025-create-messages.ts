import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Inbound and outbound messages, with the set of status reports seen for each. Partitioned by month of id; workers
 * create and drop partitions. Half of each page stays free, so that updates for outcome and reports are HOT.
 */
export class CreateMessages1790000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messages (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        direction text NOT NULL CONSTRAINT messages_direction_check CHECK (direction IN ('in', 'out')),
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        campaign_id uuid,
        context_message_id uuid,
        message_type text NOT NULL,
        content text NOT NULL DEFAULT '',
        template_name text,
        status text NOT NULL CONSTRAINT messages_status_check
          CHECK (status IN ('pending', 'accepted', 'sent', 'delivered', 'read', 'clicked', 'failed', 'received')),
        seen integer NOT NULL DEFAULT 0,
        network_message_id text,
        error_code integer,
        error_message text,
        pricing jsonb,
        payload json,
        created_at timestamptz NOT NULL DEFAULT now(),
        accepted_at timestamptz,
        sent_at timestamptz,
        delivered_at timestamptz,
        read_at timestamptz,
        clicked_at timestamptz,
        failed_at timestamptz
      ) PARTITION BY RANGE (id)
    `);
    await runner.query(`
      CREATE INDEX messages_campaign_idx ON messages (account_id, campaign_id, id) WHERE campaign_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX messages_contact_idx ON messages (account_id, contact_id, id)
    `);
    await runner.query(`
      ALTER TABLE messages ADD CONSTRAINT messages_pkey PRIMARY KEY (account_id, id)
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.seen IS 'bit set of the reports seen, see message-status.ts; the status follows from it alone'
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.pricing IS 'what the network says it charges: category, pricing_model, billable, type'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE messages
    `);
  }
}
