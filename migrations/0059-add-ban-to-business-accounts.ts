import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A ban and a restriction are kept apart: a restriction that expires must not end a ban. */
export class AddBanToBusinessAccounts1790000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts ADD COLUMN ban text, ADD COLUMN ban_told_at timestamptz
    `);
    // Only bans were stored in these words.
    await runner.query(`
      UPDATE business_accounts
      SET ban = restriction, ban_told_at = restriction_told_at, restriction = NULL
      WHERE restriction IN ('the business account was disabled by the network',
                            'the business account was deleted on the network')
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.ban IS 'why the network has banned this business, until it reinstates it'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE business_accounts
      SET restriction = ban, restriction_told_at = ban_told_at, restriction_expires_at = NULL
      WHERE ban IS NOT NULL
    `);
    await runner.query('ALTER TABLE business_accounts DROP COLUMN ban, DROP COLUMN ban_told_at');
  }
}
