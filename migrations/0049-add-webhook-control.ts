import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes endpoint URLs unique per account, and stores the progress of replays. */
export class AddWebhookControl1790000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNIQUE INDEX webhook_endpoints_url_key ON webhook_endpoints (account_id, url) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      CREATE TABLE webhook_replays (
        account_id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        since timestamptz NOT NULL,
        kinds text[] NOT NULL,
        done_until uuid NOT NULL,
        ends_before uuid NOT NULL,
        replayed integer NOT NULL DEFAULT 0,
        started_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT webhook_replays_pkey PRIMARY KEY (account_id, endpoint_id),
        CONSTRAINT webhook_replays_endpoint_fkey FOREIGN KEY (account_id, endpoint_id)
          REFERENCES webhook_endpoints (account_id, id) ON DELETE CASCADE
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_replays.done_until IS 'events with ids up to this one have been looked at'
    `);
    await runner.query(`
      CREATE INDEX webhook_replays_running_idx ON webhook_replays (account_id, endpoint_id) WHERE finished_at IS NULL
    `);
    await runner.query(`
      CREATE INDEX webhook_endpoints_deleted_idx ON webhook_endpoints (account_id, id) WHERE deleted_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_endpoints_deleted_idx
    `);
    await runner.query(`
      DROP TABLE webhook_replays
    `);
    await runner.query(`
      DROP INDEX webhook_endpoints_url_key
    `);
  }
}
