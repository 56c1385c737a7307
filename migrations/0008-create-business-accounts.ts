import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Business accounts on the network: each belongs to one account. */
export class CreateBusinessAccounts1790000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE business_accounts (
        account_id uuid NOT NULL CONSTRAINT business_accounts_account_fkey REFERENCES accounts (id),
        waba_id text NOT NULL,
        restriction text,
        restriction_told_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT business_accounts_pkey PRIMARY KEY (account_id, waba_id),
        CONSTRAINT business_accounts_waba_id_key UNIQUE (waba_id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.restriction IS 'why the network keeps this business from sending; null when it does not'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.restriction_told_at IS 'when the network told so, by its own clock: notices come in any order'
    `);
    await runner.query(`
      CREATE TRIGGER business_accounts_epoch AFTER INSERT OR UPDATE OR DELETE ON business_accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE business_accounts
    `);
  }
}
