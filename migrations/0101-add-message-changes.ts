import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People edit and delete what they have sent. */
export class AddMessageChanges1790000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages ADD COLUMN edited_at timestamptz, ADD COLUMN revoked_at timestamptz, ADD COLUMN change_ids text[]
    `);
    await runner.query(`
      COMMENT ON COLUMN messages.change_ids IS 'hashes of the network''s ids of the edits and deletions that were applied: each counts once'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN edited_at, DROP COLUMN revoked_at, DROP COLUMN change_ids');
  }
}
