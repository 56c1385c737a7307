import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One person has one contact, however their number is spelled. Contacts of one person from before keep working until a
 * sweep has merged them; the one that stays is found by all spellings at once, and has the opt-outs of the others.
 */
export class CreateNumberKeys1790000000088 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION number_key(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
          WHEN number !~ '^(?:52|54|55|229)' THEN number
          WHEN number ~ '^521[0-9]{10}$' THEN '52' || substr(number, 4)
          WHEN number ~ '^549[0-9]{10}$' THEN '54' || substr(number, 4)
          WHEN number ~ '^55[0-9]{2}9[6-9][0-9]{7}$' THEN substr(number, 1, 4) || substr(number, 6)
          WHEN number ~ '^22901[0-9]{8}$' THEN '229' || substr(number, 6)
          ELSE number
        END
    `);
    await runner.query(`
      COMMENT ON FUNCTION number_key IS 'the shortest of the spellings that a number has; src/values/number-key.ts does the same'
    `);
    await runner.query(`
      ALTER TABLE contacts
        ADD COLUMN is_duplicate boolean NOT NULL DEFAULT false,
        ADD COLUMN moved_at timestamptz,
        ADD CONSTRAINT contacts_moved_check CHECK (moved_at IS NULL OR merged_into IS NOT NULL)
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.is_duplicate IS 'whether another contact is found by this number, into which a sweep merges this one'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.merged_into IS 'the contact of the same person; the number and user id of a merged contact lead to it'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.moved_at IS 'since when the person of merged_into has other ones than this number and user id'
    `);
    await runner.query(`
      CREATE TABLE identity_tasks (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT identity_tasks_kind_check CHECK (kind IN ('duplicate', 'spelling', 'history', 'stragglers')),
        below uuid,
        retries integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT identity_tasks_pkey PRIMARY KEY (account_id, contact_id, kind),
        CONSTRAINT identity_tasks_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON TABLE identity_tasks IS 'contacts to merge into the one that has their number, to learn the network''s number of, or whose messages follow a merge'
    `);
    await runner.query(`
      COMMENT ON COLUMN identity_tasks.below IS 'messages with lower ids are still to be moved; null: all'
    `);
    await runner.query(`
      CREATE INDEX identity_tasks_due_idx ON identity_tasks (account_id, due_at)
    `);
    await runner.query(`
      -- A merged contact leads to the one that is left in one step from now on.
      WITH RECURSIVE lead AS (
        SELECT account_id, id, merged_into FROM contacts WHERE merged_into IS NOT NULL
        UNION
        SELECT l.account_id, l.id, c.merged_into
        FROM lead l JOIN contacts c ON c.account_id = l.account_id AND c.id = l.merged_into
        WHERE c.merged_into IS NOT NULL
      )
      UPDATE contacts c SET merged_into = l.merged_into
      FROM lead l JOIN contacts kept ON kept.account_id = l.account_id AND kept.id = l.merged_into
      WHERE c.account_id = l.account_id AND c.id = l.id AND c.merged_into <> l.merged_into AND kept.merged_into IS NULL
    `);
    await runner.query(`
      CREATE TEMPORARY TABLE doubles ON COMMIT DROP AS
      SELECT *
      FROM (
        SELECT *, row_number() OVER (person ORDER BY created_at, id) AS place, count(*) OVER person AS contacts
        FROM (
          SELECT account_id, id, created_at, number_key(phone_number) AS number_key, opted_in, consent_by, consent_at
          FROM contacts WHERE phone_number ~ '^(?:52|54|55|229)'
        ) spelled
        WINDOW person AS (PARTITION BY account_id, number_key)
      ) numbered
      WHERE contacts > 1
    `);
    await runner.query('ANALYZE doubles');
    await runner.query(`
      WITH marked AS (
        UPDATE contacts c SET is_duplicate = true
        FROM doubles d WHERE c.account_id = d.account_id AND c.id = d.id AND d.place > 1
      )
      INSERT INTO identity_tasks (account_id, contact_id, kind)
      SELECT account_id, id, 'duplicate' FROM doubles WHERE place > 1
    `);
    await runner.query(`
      -- An opt-out counts for all contacts of its person from now on, until they are one.
      -- Without a join of doubles with themselves, which the planner might do pair by pair.
      WITH told AS MATERIALIZED (
        SELECT account_id, id, opted_in, first_value(id) OVER strongest AS evidence_id,
               first_value(coalesce(consent_by, 'person')) OVER strongest AS decided_by,
               bool_or(NOT opted_in AND consent_at IS NOT NULL) OVER (PARTITION BY account_id, number_key) AS is_out
        FROM doubles
        WINDOW strongest AS (
          PARTITION BY account_id, number_key ORDER BY opted_in OR consent_at IS NULL, consent_by = 'account', consent_at DESC
        )
      ), changed AS (
        UPDATE contacts c SET opted_in = false, consent_by = t.decided_by, consent_at = date_trunc('second', now())
        FROM told t
        WHERE c.account_id = t.account_id AND c.id = t.id AND t.opted_in AND t.is_out
        RETURNING c.account_id, c.id, c.consent_by, c.consent_at, t.evidence_id
      )
      INSERT INTO consent_decisions (account_id, contact_id, opted_in, decided_by, decided_at, evidence_kind, evidence_id)
      SELECT account_id, id, false, consent_by, consent_at, 'merge', evidence_id::text FROM changed
      ORDER BY account_id, id
    `);
    await runner.query(`
      INSERT INTO identity_tasks (account_id, contact_id, kind)
      SELECT account_id, id, 'spelling' FROM contacts
      WHERE wa_id IS NOT NULL AND number_key(wa_id) IS DISTINCT FROM number_key(phone_number) AND deleted_at IS NULL
    `);
    await runner.query('DROP INDEX contacts_phone_number_key, contacts_wa_id_idx');
    await runner.query(`
      CREATE UNIQUE INDEX contacts_phone_number_key ON contacts (account_id, number_key(phone_number)) WHERE NOT is_duplicate
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts_phone_number_key');
    await runner.query(`
      CREATE INDEX contacts_wa_id_idx ON contacts (account_id, wa_id) WHERE wa_id IS NOT NULL
    `);
    await runner.query(`
      CREATE UNIQUE INDEX contacts_phone_number_key ON contacts (account_id, phone_number) WHERE phone_number IS NOT NULL
    `);
    // The release before finds contacts by their own number only, and would create none with a number that leads to one.
    await runner.query(`
      UPDATE contacts SET phone_number = NULL, user_id = NULL
      WHERE merged_into IS NOT NULL AND (phone_number IS NOT NULL OR user_id IS NOT NULL)
    `);
    await runner.query('DROP TABLE identity_tasks');
    await runner.query(
      'ALTER TABLE contacts DROP COLUMN is_duplicate, DROP CONSTRAINT contacts_moved_check, DROP COLUMN moved_at',
    );
    await runner.query('DROP FUNCTION number_key');
    await runner.query(`
      COMMENT ON COLUMN contacts.merged_into IS 'the contact that turned out to be the same person; nobody is found by this one any more'
    `);
  }
}
