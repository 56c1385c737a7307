import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many groups an account has, kept as the counts of conversations are: the sum of some rows, of which a writer takes a free one. */
export class CountContactGroups1790000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact_group_counts (
        account_id uuid NOT NULL CONSTRAINT contact_group_counts_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        part uuid NOT NULL DEFAULT gen_random_uuid(),
        amount integer NOT NULL,
        CONSTRAINT contact_group_counts_pkey PRIMARY KEY (account_id, part)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      INSERT INTO contact_group_counts (account_id, amount) SELECT account_id, count(*) FROM contact_groups GROUP BY account_id
    `);
    // Two statements, so that the second sees the part as whoever held it before has left it.
    await runner.query(`
      CREATE FUNCTION change_contact_group_count(account uuid, difference integer) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        free uuid;
      BEGIN
        SELECT n.part INTO free FROM contact_group_counts n WHERE n.account_id = account
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        IF FOUND THEN
          UPDATE contact_group_counts n SET amount = n.amount + difference WHERE n.account_id = account AND n.part = free;
        ELSE
          INSERT INTO contact_group_counts (account_id, amount) VALUES (account, difference);
        END IF;
      END $$
    `);
    for (const [trigger, event, table, sign] of [
      ['contact_groups_made', 'INSERT', 'NEW', '+'],
      ['contact_groups_gone', 'DELETE', 'OLD', '-'],
    ]) {
      await runner.query(`
        CREATE FUNCTION count_${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM change_contact_group_count(n.account_id, ${sign} n.amount::integer)
          FROM (SELECT account_id, count(*) AS amount FROM changed GROUP BY account_id) n;
          RETURN NULL;
        END $$
      `);
      await runner.query(`
        CREATE TRIGGER ${trigger} AFTER ${event} ON contact_groups REFERENCING ${table} TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION count_${trigger}()
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['contact_groups_gone', 'contact_groups_made']) {
      await runner.query(`
        DROP TRIGGER ${trigger} ON contact_groups
      `);
      await runner.query(`
        DROP FUNCTION count_${trigger}
      `);
    }
    await runner.query(`
      DROP FUNCTION change_contact_group_count
    `);
    await runner.query(`
      DROP TABLE contact_group_counts
    `);
  }
}
