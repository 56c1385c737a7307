import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Business accounts and phones on the network: each belongs to one account (D70). */
export class CreateBusinessPhones1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE business_accounts (
        account_id uuid NOT NULL CONSTRAINT business_accounts_account_fkey REFERENCES accounts (id),
        waba_id text NOT NULL,
        restriction text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT business_accounts_pkey PRIMARY KEY (account_id, waba_id),
        CONSTRAINT business_accounts_waba_id_key UNIQUE (waba_id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.restriction IS 'why the network keeps this business from sending; null when it does not (D68)'
    `);
    await runner.query(`
      CREATE TABLE business_phones (
        account_id uuid NOT NULL CONSTRAINT business_phones_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        waba_id text NOT NULL,
        phone_number_id text NOT NULL,
        phone text NOT NULL,
        throughput integer NOT NULL DEFAULT 80 CONSTRAINT business_phones_throughput_check CHECK (throughput >= 0),
        is_primary boolean NOT NULL DEFAULT false,
        quality text,
        access_token text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT business_phones_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT business_phones_phone_number_id_key UNIQUE (phone_number_id),
        CONSTRAINT business_phones_business_account_fkey FOREIGN KEY (account_id, waba_id)
          REFERENCES business_accounts (account_id, waba_id)
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX business_phones_primary_key ON business_phones (account_id) WHERE is_primary
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.access_token IS 'AES-256-GCM, bound to account and row (D39)'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.throughput IS 'messages per second, 0 = no limit'
    `);
    await runner.query(`
      CREATE UNLOGGED TABLE phone_throughput (
        account_id uuid NOT NULL,
        business_phone_id uuid NOT NULL,
        next_at timestamptz NOT NULL DEFAULT now(),
        slowdown real NOT NULL DEFAULT 1,
        slowed_at timestamptz,
        CONSTRAINT phone_throughput_pkey PRIMARY KEY (account_id, business_phone_id),
        CONSTRAINT phone_throughput_phone_fkey FOREIGN KEY (account_id, business_phone_id)
          REFERENCES business_phones (account_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON TABLE phone_throughput IS 'when each phone may send its next message, shared by all processes; may be lost at any time'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE phone_throughput
    `);
    await runner.query(`
      DROP TABLE business_phones
    `);
    await runner.query(`
      DROP TABLE business_accounts
    `);
  }
}
