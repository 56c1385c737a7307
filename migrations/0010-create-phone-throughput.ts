import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each phone may send its next message, shared by all processes. Unlogged: a database crash costs at most a burst.
 */
export class CreatePhoneThroughput1790000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE phone_throughput (
        account_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        next_at timestamptz NOT NULL DEFAULT now(),
        slowdown real NOT NULL DEFAULT 1,
        slowed_at timestamptz,
        owner uuid,
        owned_until timestamptz,
        CONSTRAINT phone_throughput_pkey PRIMARY KEY (account_id, business_phone_id),
        CONSTRAINT phone_throughput_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON COLUMN phone_throughput.owner IS 'the process that sends the campaigns of the phone, until owned_until'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE phone_throughput
    `);
  }
}
