import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages handed to the network whose outcome is unknown, one row per batch: who holds the lease, until when, and when
 * those still unknown count as failed. Keeps indexed, changing columns out of messages and recipients.
 */
export class CreateSendsInFlight1790000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sends_in_flight (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        campaign_id uuid,
        message_ids uuid[] NOT NULL,
        lease_until timestamptz,
        settle_at timestamptz NOT NULL,
        unsent boolean NOT NULL DEFAULT false,
        CONSTRAINT sends_in_flight_pkey PRIMARY KEY (account_id, id)
      ) WITH (toast_tuple_target = 8128, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)
    `);
    await runner.query(`
      CREATE INDEX sends_in_flight_settle_idx ON sends_in_flight (settle_at)
    `);
    await runner.query(`
      CREATE INDEX sends_in_flight_campaign_idx ON sends_in_flight (account_id, campaign_id) WHERE lease_until IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX sends_in_flight_lease_idx ON sends_in_flight (lease_until) WHERE lease_until IS NOT NULL
    `);
    await runner.query(`
      COMMENT ON COLUMN sends_in_flight.lease_until IS 'until then a campaign''s worker may still be at it; null: nobody is'
    `);
    await runner.query(`
      COMMENT ON COLUMN sends_in_flight.settle_at IS 'when messages of which nothing was learned count as failed'
    `);
    await runner.query(`
      COMMENT ON COLUMN sends_in_flight.unsent IS 'true: they were provably not sent, and will not be'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE sends_in_flight
    `);
  }
}
