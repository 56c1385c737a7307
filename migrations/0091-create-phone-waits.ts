import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns of a phone wait while the network keeps failing it; and what stopped a campaign may be tried again. */
export class CreatePhoneWaits1790000000091 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE phone_waits (
        account_id uuid,
        business_phone_id uuid,
        reason text NOT NULL CONSTRAINT phone_waits_reason_check CHECK (reason IN ('phone', 'network')),
        detail text NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        probe_at timestamptz NOT NULL,
        probes integer NOT NULL DEFAULT 0,
        CONSTRAINT phone_waits_pkey PRIMARY KEY (account_id, business_phone_id),
        CONSTRAINT phone_waits_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id) ON DELETE CASCADE
      )
    `);
    await runner.query(`ALTER TABLE campaigns ADD COLUMN repeated_codes integer[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns DROP COLUMN repeated_codes');
    await runner.query('DROP TABLE phone_waits');
  }
}
