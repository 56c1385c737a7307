import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The event log, the outbox, and webhook endpoints with their deliveries and attempts. */
export class CreateEvents1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        kind text NOT NULL,
        body text NOT NULL,
        CONSTRAINT events_pkey PRIMARY KEY (account_id, occurred_at, id)
      ) PARTITION BY RANGE (occurred_at)
    `);
    await runner.query(`
      COMMENT ON TABLE events IS 'append-only log of everything a webhook could tell; body is the exact text of every delivery (D38)'
    `);
    await runner.query(`
      CREATE TABLE outbox (
        event_id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
        account_id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        kind text NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.05)
    `);
    await runner.query(`
      COMMENT ON TABLE outbox IS 'events not fanned out yet: written with the state change, claimed and deleted by the relay in one transaction'
    `);
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
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.secret IS 'AES-256-GCM, bound to account and row (D39)'
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.timeout IS 'seconds'
    `);
    await runner.query(`
      CREATE VIEW listening_accounts AS SELECT account_id FROM webhook_endpoints WHERE status = 'active'
    `);
    await runner.query(`
      COMMENT ON VIEW listening_accounts IS 'accounts with an active endpoint; events of other accounts stay in the log alone'
    `);
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_at timestamptz NOT NULL,
        kind text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT webhook_deliveries_status_check
          CHECK (status IN ('pending', 'delivered', 'failed')),
        attempt_count integer NOT NULL DEFAULT 0,
        retries_left integer NOT NULL,
        next_attempt_at timestamptz DEFAULT now(),
        lease_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (account_id, endpoint_id)
          REFERENCES webhook_endpoints (account_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (account_id, endpoint_id, next_attempt_at)
        WHERE status = 'pending'
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_next_idx ON webhook_deliveries (next_attempt_at) WHERE status = 'pending'
    `);
    await runner.query(`
      CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (account_id, endpoint_id, id)
    `);
    await runner.query(`
      CREATE TABLE webhook_attempts (
        account_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        at timestamptz NOT NULL,
        status_code integer,
        duration_ms integer NOT NULL,
        error text,
        response text
      ) PARTITION BY RANGE (at)
    `);
    await runner.query(`
      CREATE INDEX webhook_attempts_delivery_idx ON webhook_attempts (account_id, delivery_id, at)
    `);
    await runner.query(`
      -- Makes the partitions of today and the days around it, and drops those older than keep_days. Safe to run at any time.
      CREATE FUNCTION roll_daily_partitions(keep_days integer) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        parent text;
        part record;
        day date;
      BEGIN
        PERFORM pg_advisory_xact_lock(7275398);
        FOREACH parent IN ARRAY ARRAY['events', 'webhook_attempts'] LOOP
          FOR day IN SELECT d::date FROM generate_series(current_date - 1, current_date + 3, interval '1 day') d LOOP
            IF to_regclass(format('%I', parent || to_char(day, '_YYYYMMDD'))) IS NULL THEN
              EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                parent || to_char(day, '_YYYYMMDD'), parent, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
            END IF;
          END LOOP;
          FOR part IN
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass(parent) AND c.relname ~ '_[0-9]{8}$'
              AND to_date(right(c.relname, 8), 'YYYYMMDD') < current_date - keep_days
          LOOP
            EXECUTE format('DROP TABLE %I', part.relname);
          END LOOP;
        END LOOP;
      END $$
    `);
    await runner.query(`
      CREATE TABLE events_default PARTITION OF events DEFAULT
    `);
    await runner.query(`
      CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT
    `);
    await runner.query(`
      SELECT roll_daily_partitions(3650)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION roll_daily_partitions
    `);
    await runner.query(`
      DROP TABLE webhook_attempts
    `);
    await runner.query(`
      DROP TABLE webhook_deliveries
    `);
    await runner.query(`
      DROP VIEW listening_accounts
    `);
    await runner.query(`
      DROP TABLE webhook_endpoints
    `);
    await runner.query(`
      DROP TABLE outbox
    `);
    await runner.query(`
      DROP TABLE events
    `);
  }
}
