import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders notices about the category of a template apart from those about its state: a newer decision of a review does
 * not make a change of the category older.
 */
export class AddCategoryNoticeTime1790000000069 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates ADD COLUMN category_told_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN templates.category_told_at IS 'when the network reported the category, by its own clock: notices come in any order'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates DROP COLUMN category_told_at
    `);
  }
}
