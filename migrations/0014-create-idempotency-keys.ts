import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys of the last 24 hours, per family of API keys. */
export class CreateIdempotencyKeys1790000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        account_id uuid NOT NULL CONSTRAINT idempotency_keys_account_fkey REFERENCES accounts (id),
        family uuid NOT NULL,
        idempotency_key text NOT NULL,
        fingerprint bytea NOT NULL,
        owner uuid NOT NULL,
        lease_until timestamptz NOT NULL,
        record_id uuid,
        status_code integer,
        response text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, family, idempotency_key)
      ) WITH (fillfactor = 70)
    `);
    await runner.query(`
      CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at)
    `);
    await runner.query(`
      COMMENT ON COLUMN idempotency_keys.record_id IS 'the row that the request made, committed together with it: what a dead owner''s key is answered from'
    `);
    await runner.query(`
      COMMENT ON COLUMN idempotency_keys.response IS 'the stored body, encrypted; null while in progress'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_keys
    `);
  }
}
