import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns and their recipients, with the leases under which workers dispatch them. */
export class CreateCampaigns1790000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE campaigns (
        account_id uuid NOT NULL CONSTRAINT campaigns_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        name text NOT NULL,
        description text,
        template_id uuid NOT NULL,
        template_name text NOT NULL,
        business_phone_id uuid NOT NULL,
        content jsonb NOT NULL DEFAULT '{}',
        status text NOT NULL CONSTRAINT campaigns_status_check
          CHECK (status IN ('draft', 'scheduled', 'running', 'completed', 'cancelled', 'failed')),
        paused boolean NOT NULL DEFAULT false,
        failure_reason text,
        price integer NOT NULL DEFAULT 0,
        total_contacts integer NOT NULL,
        sent_count integer NOT NULL DEFAULT 0,
        delivered_count integer NOT NULL DEFAULT 0,
        read_count integer NOT NULL DEFAULT 0,
        clicked_count integer NOT NULL DEFAULT 0,
        failed_count integer NOT NULL DEFAULT 0,
        replied_count integer NOT NULL DEFAULT 0,
        scheduled_at timestamptz,
        scheduled_timezone text,
        started_at timestamptz,
        completed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT campaigns_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT campaigns_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id),
        CONSTRAINT campaigns_business_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE INDEX campaigns_active_idx ON campaigns (account_id, id) WHERE status = 'running'
    `);
    await runner.query(`
      CREATE INDEX campaigns_scheduled_idx ON campaigns (scheduled_at) WHERE status = 'scheduled'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.content IS 'what is the same for every recipient: body_data, header_data, media_url, filename, button_params, location, carousel_data, expiration_time_ms'
    `);
    await runner.query(`
      CREATE TABLE campaign_recipients (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        campaign_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        state text NOT NULL DEFAULT 'pending' CONSTRAINT campaign_recipients_state_check
          CHECK (state IN ('pending', 'sending', 'dispatched', 'failed', 'cancelled')),
        round integer NOT NULL DEFAULT 1,
        attempts integer NOT NULL DEFAULT 0,
        first_attempt_at timestamptz,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz,
        message_id uuid,
        clicked boolean NOT NULL DEFAULT false,
        replied boolean NOT NULL DEFAULT false,
        error_code integer,
        error_message text,
        CONSTRAINT campaign_recipients_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT campaign_recipients_contact_key UNIQUE (account_id, campaign_id, contact_id),
        CONSTRAINT campaign_recipients_campaign_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, id),
        CONSTRAINT campaign_recipients_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      ) WITH (fillfactor = 70)
    `);
    await runner.query(`
      CREATE INDEX campaign_recipients_due_idx ON campaign_recipients (account_id, campaign_id, due_at, id) WHERE state = 'pending'
    `);
    await runner.query(`
      CREATE INDEX campaign_recipients_sending_idx ON campaign_recipients (account_id, campaign_id, lease_until) WHERE state = 'sending'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.state IS 'pending: provably unsent, due at due_at; sending: may have left, leased by a worker; dispatched: the message row tells the rest'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.round IS 'how often its credit was reserved: once, and again for each retry-failed (D30)'
    `);
    await runner.query(`
      ALTER TABLE wallet_entries ADD CONSTRAINT wallet_entries_recipient_fkey
        FOREIGN KEY (account_id, recipient_id) REFERENCES campaign_recipients (account_id, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_recipient_fkey
    `);
    await runner.query(`
      DROP TABLE campaign_recipients
    `);
    await runner.query(`
      DROP TABLE campaigns
    `);
  }
}
