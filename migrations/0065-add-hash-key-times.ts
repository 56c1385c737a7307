import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells a new installation from one that an older release has served, whose processes may still run during an upgrade. */
export class AddHashKeyTimes1790000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hash_keys ADD COLUMN created_at timestamptz');
    await runner.query('ALTER TABLE hash_keys ALTER COLUMN created_at SET DEFAULT now()');
    await runner.query(`
      COMMENT ON COLUMN hash_keys.created_at IS 'null: the key is older than this column, so an older release has served this database'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hash_keys DROP COLUMN created_at');
  }
}
