import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which contacts are in which groups. */
export class CreateGroupMembers1790000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE group_members (
        account_id uuid NOT NULL,
        group_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        added_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT group_members_group_fkey FOREIGN KEY (account_id, group_id)
          REFERENCES contact_groups (account_id, id) ON DELETE CASCADE,
        CONSTRAINT group_members_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX group_members_contact_idx ON group_members (account_id, contact_id)
    `);
    await runner.query(`
      CREATE INDEX group_members_newest_idx ON group_members (account_id, group_id, added_at, contact_id)
    `);
    await runner.query(`
      ALTER TABLE group_members ADD CONSTRAINT group_members_pkey PRIMARY KEY (account_id, group_id, contact_id)
    `);
    await runner.query(`
      CREATE FUNCTION count_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'group.members', group_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed GROUP BY account_id, group_id;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER group_members_added AFTER INSERT ON group_members REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_group_members()
    `);
    await runner.query(`
      CREATE TRIGGER group_members_removed AFTER DELETE ON group_members REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_group_members()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE group_members
    `);
    await runner.query(`
      DROP FUNCTION count_group_members
    `);
  }
}
