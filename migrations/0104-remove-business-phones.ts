import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Business phones can be removed. The row stays, because messages and campaigns name it; its number id, and the business
 * account when no phone of it is left, are free for any account.
 */
export class RemoveBusinessPhones1790000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE business_phones ADD COLUMN removed_at timestamptz');
    await runner.query('ALTER TABLE business_phones DROP CONSTRAINT business_phones_phone_number_id_key');
    await runner.query(`
      CREATE UNIQUE INDEX business_phones_phone_number_id_key ON business_phones (phone_number_id)
        WHERE removed_at IS NULL
    `);
    await runner.query('ALTER TABLE business_accounts ADD COLUMN released_at timestamptz');
    await runner.query('ALTER TABLE business_accounts DROP CONSTRAINT business_accounts_waba_id_key');
    await runner.query(`
      CREATE UNIQUE INDEX business_accounts_waba_id_key ON business_accounts (waba_id) WHERE released_at IS NULL
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.released_at IS 'when its last phone was removed; null while it has phones'
    `);
  }

  /**
   * Removed phones keep their rows, with a number id that nobody else has. What has been in two accounts cannot be
   * expressed in the schema before: then this stops and says so.
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$
      DECLARE shared text := (SELECT string_agg(waba_id, ', ' ORDER BY waba_id)
                              FROM (SELECT waba_id FROM business_accounts GROUP BY waba_id HAVING count(*) > 1) shared);
      BEGIN
        IF shared IS NOT NULL THEN
          RAISE EXCEPTION 'cannot revert: two accounts have had the business accounts %', shared
            USING HINT = 'Leave the schema as it is: the old release works on it. Or restore a backup.';
        END IF;
      END $$
    `);
    await runner.query(`
      UPDATE business_phones SET phone_number_id = 'removed.' || phone_number_id || '.' || id
      WHERE removed_at IS NOT NULL AND phone_number_id NOT LIKE 'removed.%'
    `);
    await runner.query('DROP INDEX business_accounts_waba_id_key');
    await runner.query('ALTER TABLE business_accounts ADD CONSTRAINT business_accounts_waba_id_key UNIQUE (waba_id)');
    await runner.query('ALTER TABLE business_accounts DROP COLUMN released_at');
    await runner.query('DROP INDEX business_phones_phone_number_id_key');
    await runner.query(
      'ALTER TABLE business_phones ADD CONSTRAINT business_phones_phone_number_id_key UNIQUE (phone_number_id)',
    );
    await runner.query('ALTER TABLE business_phones DROP COLUMN removed_at');
  }
}
