import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many contacts an account has, exact in every snapshot, without a writer ever waiting for another.
 *
 * One counter row for each account would do, were it not held until its writer commits: an import of 100,000 rows would
 * stop every send to a new number of that account. So the row is taken only when it is free; a writer that finds it
 * taken leaves a note of its change instead, and the next one that gets the row folds the notes in. The total is the row
 * plus the notes.
 */
export class CountContacts1790000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact_totals (
        account_id uuid CONSTRAINT contact_totals_pkey PRIMARY KEY
          CONSTRAINT contact_totals_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        total integer NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE TABLE contact_total_changes (
        account_id uuid NOT NULL CONSTRAINT contact_total_changes_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        change integer NOT NULL
      ) WITH (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0)
    `);
    await runner.query(`
      CREATE INDEX contact_total_changes_account_idx ON contact_total_changes (account_id)
    `);
    await runner.query(`
      COMMENT ON TABLE contact_total_changes IS 'changes whose writer found the row in contact_totals taken; whoever gets it next folds them in'
    `);
    // The row must stand before the first contact: two first contacts at once would wait for one another to make it.
    await runner.query(`
      CREATE FUNCTION start_contact_total() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO contact_totals (account_id) VALUES (NEW.id);
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER accounts_contact_total AFTER INSERT ON accounts
        FOR EACH ROW EXECUTE FUNCTION start_contact_total()
    `);
    await runner.query(`
      INSERT INTO contact_totals (account_id, total)
      SELECT a.id, (SELECT count(*) FROM contacts c WHERE c.account_id = a.id AND c.deleted_at IS NULL) FROM accounts a
    `);
    // Each statement of the function has a snapshot of its own, so what is folded is what is there once the row is held.
    await runner.query(`
      CREATE FUNCTION change_contact_total(account uuid, difference integer) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM contact_totals t WHERE t.account_id = account FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
          INSERT INTO contact_total_changes (account_id, change) VALUES (account, difference);
          RETURN;
        END IF;
        WITH folded AS (DELETE FROM contact_total_changes n WHERE n.account_id = account RETURNING n.change)
        UPDATE contact_totals t
        SET total = t.total + difference + coalesce((SELECT sum(f.change) FROM folded f), 0)
        WHERE t.account_id = account;
      END $$
    `);
    await runner.query(`
      CREATE FUNCTION count_inserted_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM change_contact_total(n.account_id, n.live::integer)
        FROM (SELECT account_id, count(*) AS live FROM inserted WHERE deleted_at IS NULL GROUP BY account_id) n;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE FUNCTION count_updated_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM change_contact_total(n.account_id, n.difference::integer)
        FROM (
          SELECT account_id, sum(live) AS difference
          FROM (
            SELECT account_id, 1 AS live FROM after_update WHERE deleted_at IS NULL
            UNION ALL
            SELECT account_id, -1 FROM before_update WHERE deleted_at IS NULL
          ) changed
          GROUP BY account_id
          HAVING sum(live) <> 0
        ) n;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE FUNCTION count_erased_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM change_contact_total(n.account_id, -n.live::integer)
        FROM (SELECT account_id, count(*) AS live FROM erased WHERE deleted_at IS NULL GROUP BY account_id) n;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_contacts()
    `);
    await runner.query(`
      CREATE TRIGGER contacts_updated AFTER UPDATE ON contacts
        REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update
        FOR EACH STATEMENT EXECUTE FUNCTION count_updated_contacts()
    `);
    await runner.query(`
      CREATE TRIGGER contacts_erased AFTER DELETE ON contacts REFERENCING OLD TABLE AS erased
        FOR EACH STATEMENT EXECUTE FUNCTION count_erased_contacts()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER contacts_erased ON contacts
    `);
    await runner.query(`
      DROP TRIGGER contacts_updated ON contacts
    `);
    await runner.query(`
      DROP TRIGGER contacts_inserted ON contacts
    `);
    await runner.query(`
      DROP TRIGGER accounts_contact_total ON accounts
    `);
    await runner.query(`
      DROP FUNCTION count_erased_contacts, count_updated_contacts, count_inserted_contacts, change_contact_total, start_contact_total
    `);
    await runner.query(`
      DROP TABLE contact_total_changes
    `);
    await runner.query(`
      DROP TABLE contact_totals
    `);
  }
}
