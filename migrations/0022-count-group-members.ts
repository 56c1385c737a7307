import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps `contact_groups.contact_count` equal to the number of member rows, whoever adds or removes them. Group rows are
 * taken in the order of their ids, so that two writers of several groups cannot wait for one another in a circle.
 */
export class CountGroupMembers1790000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [trigger, event, table, sign] of [
      ['group_members_added', 'INSERT', 'NEW', '+'],
      ['group_members_removed', 'DELETE', 'OLD', '-'],
    ]) {
      await runner.query(`
        CREATE FUNCTION count_${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          WITH change AS (
            SELECT account_id, group_id, count(*)::integer AS members FROM changed GROUP BY account_id, group_id
          ), held AS MATERIALIZED (
            SELECT g.account_id, g.id, change.members
            FROM contact_groups g JOIN change ON change.account_id = g.account_id AND change.group_id = g.id
            ORDER BY g.account_id, g.id
            FOR NO KEY UPDATE OF g
          )
          UPDATE contact_groups g SET contact_count = g.contact_count ${sign} held.members
          FROM held WHERE g.account_id = held.account_id AND g.id = held.id;
          RETURN NULL;
        END $$
      `);
      await runner.query(`
        CREATE TRIGGER ${trigger} AFTER ${event} ON group_members REFERENCING ${table} TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION count_${trigger}()
      `);
    }
    await runner.query(`
      UPDATE contact_groups g SET contact_count =
        (SELECT count(*) FROM group_members m WHERE m.account_id = g.account_id AND m.group_id = g.id)
    `);
    await runner.query(`
      CREATE INDEX contact_groups_newest_idx ON contact_groups (account_id, created_at, id)
    `);
    await runner.query(`
      CREATE INDEX group_members_newest_idx ON group_members (account_id, group_id, added_at, contact_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX group_members_newest_idx
    `);
    await runner.query(`
      DROP INDEX contact_groups_newest_idx
    `);
    for (const trigger of ['group_members_removed', 'group_members_added']) {
      await runner.query(`
        DROP TRIGGER ${trigger} ON group_members
      `);
      await runner.query(`
        DROP FUNCTION count_${trigger}
      `);
    }
  }
}
