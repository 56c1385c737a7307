import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Groups, which hold references to contacts. */
export class CreateContactGroups1790000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact_groups (
        account_id uuid NOT NULL CONSTRAINT contact_groups_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        name text NOT NULL,
        description text,
        tags text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contact_groups_name_key UNIQUE (account_id, name)
      )
    `);
    await runner.query(`
      CREATE INDEX contact_groups_newest_idx ON contact_groups (account_id, created_at, id)
    `);
    await runner.query(`
      ALTER TABLE contact_groups ADD CONSTRAINT contact_groups_pkey PRIMARY KEY (account_id, id)
    `);
    await runner.query(`
      CREATE FUNCTION count_contact_groups() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'groups', account_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed GROUP BY account_id;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contact_groups_made AFTER INSERT ON contact_groups REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_contact_groups()
    `);
    await runner.query(`
      CREATE TRIGGER contact_groups_gone AFTER DELETE ON contact_groups REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_contact_groups()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE contact_groups
    `);
    await runner.query(`
      DROP FUNCTION count_contact_groups
    `);
  }
}
