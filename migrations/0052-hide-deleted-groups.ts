import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted groups: hidden immediately, while their members are removed in small batches. */
export class HideDeletedGroups1790000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contact_groups ADD COLUMN deleted_at timestamptz, DROP CONSTRAINT contact_groups_name_key
    `);
    await runner.query(`
      CREATE UNIQUE INDEX contact_groups_name_key ON contact_groups (account_id, name) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      CREATE INDEX contact_groups_deleted_idx ON contact_groups (account_id, id) WHERE deleted_at IS NOT NULL
    `);
    await runner.query(`
      DROP INDEX contact_groups_newest_idx
    `);
    await runner.query(`
      CREATE INDEX contact_groups_newest_idx ON contact_groups (account_id, created_at, id) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      DROP TRIGGER contact_groups_gone ON contact_groups
    `);
    await runner.query(`
      CREATE FUNCTION uncount_contact_group() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        VALUES (OLD.account_id, 'groups', OLD.account_id, -1);
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contact_groups_deleted AFTER UPDATE OF deleted_at ON contact_groups FOR EACH ROW
        WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION uncount_contact_group()
    `);
    await runner.query(`
      CREATE TRIGGER contact_groups_gone AFTER DELETE ON contact_groups FOR EACH ROW
        WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION uncount_contact_group()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER contact_groups_deleted ON contact_groups
    `);
    await runner.query(`
      DROP TRIGGER contact_groups_gone ON contact_groups
    `);
    await runner.query(`
      DROP FUNCTION uncount_contact_group
    `);
    await runner.query(`
      CREATE TRIGGER contact_groups_gone AFTER DELETE ON contact_groups REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_contact_groups()
    `);
    await runner.query(`
      DROP INDEX contact_groups_newest_idx, contact_groups_deleted_idx, contact_groups_name_key
    `);
    await runner.query(`
      ALTER TABLE contact_groups DROP COLUMN deleted_at, ADD CONSTRAINT contact_groups_name_key UNIQUE (account_id, name)
    `);
    await runner.query(`
      CREATE INDEX contact_groups_newest_idx ON contact_groups (account_id, created_at, id)
    `);
  }
}
