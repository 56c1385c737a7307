import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a restriction of a business account end by itself. */
export class AddRestrictionExpiry1790000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts ADD COLUMN restriction_expires_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.restriction_expires_at IS 'when the restriction ends by itself; NULL: only when the network lifts it'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts DROP COLUMN restriction_expires_at
    `);
  }
}
