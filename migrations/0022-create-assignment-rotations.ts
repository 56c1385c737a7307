import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose turn is next when an organisation assigns new inbound conversations round-robin. A separate table, because a
 * change to `organisations` would invalidate the caches of every process.
 */
export class CreateAssignmentRotations1790000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE assignment_rotations (
        organisation_id uuid CONSTRAINT assignment_rotations_pkey PRIMARY KEY
          CONSTRAINT assignment_rotations_organisation_fkey REFERENCES organisations (id) ON DELETE CASCADE,
        last_user_id uuid,
        CONSTRAINT assignment_rotations_last_user_fkey FOREIGN KEY (organisation_id, last_user_id)
          REFERENCES users (organisation_id, id)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON COLUMN assignment_rotations.last_user_id IS 'who was given the latest conversation; the next active member by id is next'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE assignment_rotations
    `);
  }
}
