import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The wallet and the ledger of every movement (D30). */
export class CreateWallets1790000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallets (
        account_id uuid CONSTRAINT wallets_pkey PRIMARY KEY CONSTRAINT wallets_account_fkey REFERENCES accounts (id),
        balance bigint NOT NULL DEFAULT 0
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN wallets.balance IS 'credits; below zero only when reports prove acceptance after the horizon (D30)'
    `);
    await runner.query(`
      CREATE TABLE wallet_entries (
        account_id uuid NOT NULL CONSTRAINT wallet_entries_wallet_fkey REFERENCES wallets (account_id),
        id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT wallet_entries_kind_check CHECK (kind IN ('credit', 'reserve', 'refund', 'charge')),
        amount bigint NOT NULL,
        campaign_id uuid,
        recipient_id uuid,
        attempt integer,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT wallet_entries_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT wallet_entries_movement_key UNIQUE (account_id, recipient_id, attempt, kind)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN wallet_entries.amount IS 'credits, negative when they leave the wallet; the balance is the sum of the entries (D30)'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE wallet_entries
    `);
    await runner.query(`
      DROP TABLE wallets
    `);
  }
}
