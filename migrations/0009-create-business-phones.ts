import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Business phones on the network: each belongs to one account. */
export class CreateBusinessPhones1790000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
        quality_told_at timestamptz,
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
      COMMENT ON COLUMN business_phones.access_token IS 'AES-256-GCM, bound to account and row'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.throughput IS 'messages per second, 0 = no limit'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.quality_told_at IS 'when the network told so, by its own clock: notices come in any order'
    `);
    await runner.query(`
      CREATE TRIGGER business_phones_epoch AFTER INSERT OR UPDATE OR DELETE ON business_phones
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE business_phones
    `);
  }
}
