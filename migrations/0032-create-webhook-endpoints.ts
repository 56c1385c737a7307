import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints: where an account's events are delivered. */
export class CreateWebhookEndpoints1790000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        account_id uuid NOT NULL CONSTRAINT webhook_endpoints_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        url text NOT NULL,
        secret text,
        previous_secret text,
        previous_secret_until timestamptz,
        subscribed_events text[] NOT NULL,
        retry_count integer NOT NULL DEFAULT 3 CONSTRAINT webhook_endpoints_retry_count_check CHECK (retry_count BETWEEN 0 AND 10),
        timeout integer NOT NULL DEFAULT 5 CONSTRAINT webhook_endpoints_timeout_check CHECK (timeout BETWEEN 1 AND 30),
        status text NOT NULL DEFAULT 'active' CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('active', 'disabled')),
        disabled_reason text,
        failing_since timestamptz,
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (account_id, id)
      ) WITH (fillfactor = 80)
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.secret IS 'AES-256-GCM, bound to account and row'
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.timeout IS 'seconds'
    `);
    await runner.query(`
      CREATE VIEW listening_accounts AS SELECT account_id FROM webhook_endpoints WHERE status = 'active' AND deleted_at IS NULL
    `);
    await runner.query(`
      COMMENT ON VIEW listening_accounts IS 'accounts with an active endpoint; events of other accounts stay in the log alone'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW listening_accounts
    `);
    await runner.query(`
      DROP TABLE webhook_endpoints
    `);
  }
}
