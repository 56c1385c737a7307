import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages in and out, with the set of reports seen about each; reports that match none are parked. */
export class CreateMessages1790000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messages (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        direction text NOT NULL CONSTRAINT messages_direction_check CHECK (direction IN ('in', 'out')),
        contact_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        message_type text NOT NULL,
        content text NOT NULL DEFAULT '',
        template_name text,
        campaign_id uuid,
        recipient_id uuid,
        context_message_id uuid,
        status text NOT NULL CONSTRAINT messages_status_check
          CHECK (status IN ('pending', 'accepted', 'sent', 'delivered', 'read', 'clicked', 'failed', 'received')),
        seen integer NOT NULL DEFAULT 0,
        network_message_id text,
        error_code integer,
        error_message text,
        settle_at timestamptz,
        payload json,
        created_at timestamptz NOT NULL DEFAULT now(),
        accepted_at timestamptz,
        sent_at timestamptz,
        delivered_at timestamptz,
        read_at timestamptz,
        clicked_at timestamptz,
        failed_at timestamptz,
        CONSTRAINT messages_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT messages_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id),
        CONSTRAINT messages_business_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id),
        CONSTRAINT messages_campaign_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, id),
        CONSTRAINT messages_recipient_fkey FOREIGN KEY (account_id, recipient_id) REFERENCES campaign_recipients (account_id, id)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE UNIQUE INDEX messages_network_message_id_key ON messages (account_id, network_message_id)
        WHERE network_message_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX messages_contact_idx ON messages (account_id, contact_id, id)
    `);
    await runner.query(`
      CREATE INDEX messages_campaign_idx ON messages (account_id, campaign_id, id) WHERE campaign_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX messages_unsettled_idx ON messages (settle_at) WHERE settle_at IS NOT NULL
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.seen IS 'bit set of the reports seen, see message-status.ts; the status follows from it alone (D15)'
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.settle_at IS 'when a message of unknown outcome counts as failed (D14); null once the outcome is known'
    `);
    await runner.query(`
      ALTER TABLE campaign_recipients ADD CONSTRAINT campaign_recipients_message_fkey
        FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id)
    `);
    await runner.query(`
      CREATE TABLE parked_reports (
        id uuid CONSTRAINT parked_reports_pkey PRIMARY KEY,
        account_id uuid NOT NULL,
        network_message_id text NOT NULL,
        report json NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await runner.query(`
      CREATE INDEX parked_reports_network_message_id_idx ON parked_reports (account_id, network_message_id)
    `);
    await runner.query(`
      CREATE INDEX parked_reports_received_idx ON parked_reports (received_at)
    `);
    await runner.query(`
      COMMENT ON TABLE parked_reports IS 'status reports that match no message yet; applied when its network id is saved, dropped after 7 days'
    `);
    await runner.query(`
      CREATE TABLE unhandled_callbacks (
        id uuid CONSTRAINT unhandled_callbacks_pkey PRIMARY KEY,
        account_id uuid,
        field text,
        reason text NOT NULL,
        body json NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await runner.query(`
      CREATE INDEX unhandled_callbacks_received_idx ON unhandled_callbacks (received_at)
    `);
    await runner.query(`
      COMMENT ON TABLE unhandled_callbacks IS 'what the network sent and Parley has no use for: acknowledged and kept (D70)'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE unhandled_callbacks
    `);
    await runner.query(`
      DROP TABLE parked_reports
    `);
    await runner.query(`
      ALTER TABLE campaign_recipients DROP CONSTRAINT campaign_recipients_message_fkey
    `);
    await runner.query(`
      DROP TABLE messages
    `);
  }
}
