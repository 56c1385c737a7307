import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The portfolio and messaging limit of a business account, and when to ask the network about a phone again. */
export class AddMessagingLimits1790000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts
        ADD COLUMN portfolio_id text,
        ADD COLUMN messaging_limit integer
          CONSTRAINT business_accounts_messaging_limit_check CHECK (messaging_limit >= -1),
        ADD COLUMN messaging_limit_told_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.portfolio_id IS 'the business portfolio that owns it; null while unknown'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.messaging_limit IS 'people that its portfolio may reach in 24 hours, -1 = unlimited; null while unknown'
    `);
    await runner.query(`
      ALTER TABLE business_phones ADD COLUMN look_up_at timestamptz NOT NULL DEFAULT now()
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.look_up_at IS 'when to ask the network about it again'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_phones DROP COLUMN look_up_at
    `);
    await runner.query(`
      ALTER TABLE business_accounts
        DROP COLUMN portfolio_id, DROP COLUMN messaging_limit, DROP COLUMN messaging_limit_told_at
    `);
  }
}
