import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which campaign recipients a portfolio's messaging limit admits, and how long the others wait. */
export class AddAdmissions1790000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns ADD COLUMN known_limit integer, ADD COLUMN waiting_until timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.known_limit IS 'the messaging limit that it was opened under: another one opens it anew'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.waiting_until IS 'when the first of those may be sent to who wait for a window or for the messaging limit; null: nobody waits'
    `);
    await runner.query(`
      ALTER TABLE campaign_recipients ADD COLUMN admitted boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.admitted IS 'while pending: counts toward the messaging limit as if it had been sent to'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaign_recipients DROP COLUMN admitted
    `);
    await runner.query(`
      ALTER TABLE campaigns DROP COLUMN known_limit, DROP COLUMN waiting_until
    `);
  }
}
