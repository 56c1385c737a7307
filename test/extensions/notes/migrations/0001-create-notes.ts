import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes about an account. */
export class CreateNotes1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notes_notes (
        account_id uuid NOT NULL REFERENCES accounts (id),
        id uuid NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (account_id, id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notes_notes
    `);
  }
}
