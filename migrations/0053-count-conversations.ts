import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many conversations of each status each assignee has, exact in every snapshot, without a writer ever waiting for
 * another: a count is the sum of some rows, a writer changes one that is free, and makes one where none is. So there are
 * never more rows to a count than there were writers at once.
 */
export class CountConversations1790000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_counts (
        account_id uuid NOT NULL CONSTRAINT conversation_counts_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        status text NOT NULL,
        assignee uuid NOT NULL,
        part uuid NOT NULL DEFAULT gen_random_uuid(),
        amount integer NOT NULL,
        CONSTRAINT conversation_counts_pkey PRIMARY KEY (account_id, status, assignee, part)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON COLUMN conversation_counts.assignee IS 'all zeros: nobody'
    `);
    await runner.query(`
      INSERT INTO conversation_counts (account_id, status, assignee, amount)
      SELECT account_id, status, coalesce(assigned_to, '00000000-0000-0000-0000-000000000000'), count(*)
      FROM conversations GROUP BY 1, 2, 3
    `);
    // Two statements, so that the second sees the part as whoever held it before has left it.
    await runner.query(`
      CREATE FUNCTION change_conversation_count(account uuid, state text, holder uuid, difference integer) RETURNS void
      LANGUAGE plpgsql AS $$
      DECLARE
        nobody CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
        free uuid;
      BEGIN
        SELECT n.part INTO free FROM conversation_counts n
        WHERE n.account_id = account AND n.status = state AND n.assignee = coalesce(holder, nobody)
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        IF FOUND THEN
          UPDATE conversation_counts n SET amount = n.amount + difference
          WHERE n.account_id = account AND n.status = state AND n.assignee = coalesce(holder, nobody) AND n.part = free;
        ELSE
          INSERT INTO conversation_counts (account_id, status, assignee, amount)
          VALUES (account, state, coalesce(holder, nobody), difference);
        END IF;
      END $$
    `);
    await runner.query(`
      CREATE FUNCTION count_new_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM change_conversation_count(n.account_id, n.status, n.assigned_to, n.amount::integer)
        FROM (SELECT account_id, status, assigned_to, count(*) AS amount FROM made GROUP BY 1, 2, 3) n;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE FUNCTION recount_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM change_conversation_count(OLD.account_id, OLD.status, OLD.assigned_to, -1);
        IF TG_OP = 'UPDATE' THEN
          PERFORM change_conversation_count(NEW.account_id, NEW.status, NEW.assigned_to, 1);
        END IF;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER conversations_made AFTER INSERT ON conversations REFERENCING NEW TABLE AS made
        FOR EACH STATEMENT EXECUTE FUNCTION count_new_conversations()
    `);
    // By row and only for these columns: messages update conversations all the time and must not pay for this.
    await runner.query(`
      CREATE TRIGGER conversations_changed AFTER UPDATE OF status, assigned_to ON conversations FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.assigned_to IS DISTINCT FROM NEW.assigned_to)
        EXECUTE FUNCTION recount_conversation()
    `);
    await runner.query(`
      CREATE TRIGGER conversations_gone AFTER DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION recount_conversation()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER conversations_gone ON conversations
    `);
    await runner.query(`
      DROP TRIGGER conversations_changed ON conversations
    `);
    await runner.query(`
      DROP TRIGGER conversations_made ON conversations
    `);
    await runner.query(`
      DROP FUNCTION recount_conversation, count_new_conversations, change_conversation_count
    `);
    await runner.query(`
      DROP TABLE conversation_counts
    `);
  }
}
