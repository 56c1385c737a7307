import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a late or repeated decision about a template be recognised as older than the stored one. */
export class AddTemplateNoticeTime1790000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates ADD COLUMN state_told_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN templates.state_told_at IS 'when the network reported the state, by its own clock: notices come in any order'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates DROP COLUMN state_told_at
    `);
  }
}
