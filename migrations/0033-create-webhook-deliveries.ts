import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries of one event to one endpoint. Partitioned by day of id; workers create and drop partitions. */
export class CreateWebhookDeliveries1790000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        event_id uuid NOT NULL,
        kind text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT webhook_deliveries_status_check
          CHECK (status IN ('pending', 'delivered', 'failed')),
        attempt_count integer NOT NULL DEFAULT 0,
        retries_left integer NOT NULL,
        next_attempt_at timestamptz DEFAULT now(),
        lease_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      ) PARTITION BY RANGE (id)
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (account_id, endpoint_id, id)
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (account_id, endpoint_id, next_attempt_at) WHERE status = 'pending'
    `);
    await runner.query(`
      ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE webhook_deliveries
    `);
  }
}
