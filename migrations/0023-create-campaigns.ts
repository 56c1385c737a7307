import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns: one template sent to many recipients. Their results are in the counters. */
export class CreateCampaigns1790000000023 implements MigrationInterface {
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
        runs integer NOT NULL DEFAULT 0,
        price integer NOT NULL DEFAULT 0,
        total_contacts integer NOT NULL,
        scheduled_at timestamptz,
        scheduled_timezone text,
        started_at timestamptz,
        completed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT campaigns_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id),
        CONSTRAINT campaigns_business_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX campaigns_running_idx ON campaigns (account_id, id) WHERE status = 'running'
    `);
    await runner.query(`
      CREATE INDEX campaigns_scheduled_idx ON campaigns (scheduled_at) WHERE status = 'scheduled'
    `);
    await runner.query(`
      ALTER TABLE campaigns ADD CONSTRAINT campaigns_pkey PRIMARY KEY (account_id, id)
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.runs IS 'how often it was started: what is learned about one run does not stop the next'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.content IS 'what is the same for every recipient: body_data, header_data, media_url, filename, button_params, location, carousel_data, expiration_time_ms'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.price IS 'credits per recipient, fixed when the campaign starts'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE campaigns
    `);
  }
}
