import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The contact of each event, so that all events about a contact can be found. */
export class AddContactToEvents1790000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD COLUMN contact_id uuid
    `);
    await runner.query(`
      COMMENT ON COLUMN events.contact_id IS 'whom it tells of; null: nobody, or logged before this was noted'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events DROP COLUMN contact_id
    `);
  }
}
