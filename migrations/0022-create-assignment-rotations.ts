import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose turn it is when new inbound conversations are given to the agents of an organisation one after the other. A table
 * of its own: a change of `organisations` would make every process forget what it has cached.
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
