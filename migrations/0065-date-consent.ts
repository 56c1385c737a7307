import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Consent knows when it was given or withdrawn: what a contact said earlier and we learn later changes nothing (D21). */
export class DateConsent1790000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts ADD COLUMN consent_at timestamptz
    `);
    // Whoever has opted out did so at that time at the latest.
    await runner.query(`
      UPDATE contacts SET consent_at = date_trunc('second', updated_at) WHERE NOT opted_in
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.consent_at IS 'when opted_in was last decided, by the contact or the account; null: never'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts DROP COLUMN consent_at
    `);
  }
}
