import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts that people who answer customers can insert. */
export class CreateSavedReplies1790000000121 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_replies (
        account_id uuid CONSTRAINT saved_replies_account_fkey REFERENCES accounts (id),
        id uuid,
        name text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT saved_replies_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query(`
      CREATE UNIQUE INDEX saved_replies_name_key ON saved_replies (account_id, lower(name))
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE saved_replies
    `);
  }
}
