import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure whose tokens cannot be decrypted must not count as complete, and must not hold up others. */
export class MarkUnreadableErasures1790000000072 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contact_erasures ADD COLUMN is_unreadable boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.is_unreadable IS 'whether a process of the current or last run could not decrypt the tokens, so texts were not searched for them'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contact_erasures DROP COLUMN is_unreadable
    `);
  }
}
