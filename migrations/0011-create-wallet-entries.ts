import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger of credits: one entry per movement, or per batch of movements of one kind that commit together. The
 * balance is the sum of the entries, kept by the counters.
 */
export class CreateWalletEntries1790000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_entries (
        account_id uuid NOT NULL CONSTRAINT wallet_entries_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT wallet_entries_kind_check CHECK (kind IN ('credit', 'reserve', 'refund', 'charge')),
        amount bigint NOT NULL,
        campaign_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT wallet_entries_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN wallet_entries.amount IS 'credits, negative when they leave the wallet'
    `);
    await runner.query(`
      CREATE FUNCTION count_wallet_entries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'wallet.credits', account_id, sum(amount) FROM entered GROUP BY account_id HAVING sum(amount) <> 0;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER wallet_entries_counted AFTER INSERT ON wallet_entries REFERENCING NEW TABLE AS entered
        FOR EACH STATEMENT EXECUTE FUNCTION count_wallet_entries()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE wallet_entries
    `);
    await runner.query(`
      DROP FUNCTION count_wallet_entries
    `);
  }
}
