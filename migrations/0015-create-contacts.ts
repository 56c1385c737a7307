import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contacts: people that an account writes to, known by their number or by the network's id of them. */
export class CreateContacts1790000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm
    `);
    await runner.query(`
      -- Lets account_id be in a GIN index beside the trigrams, so that a search reads one tenant's entries only.
      CREATE EXTENSION IF NOT EXISTS btree_gin
    `);
    await runner.query(`
      CREATE TABLE contacts (
        account_id uuid NOT NULL CONSTRAINT contacts_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        phone_number text,
        user_id text,
        username text,
        wa_id text,
        merged_into uuid,
        first_name text NOT NULL,
        last_name text,
        email text,
        company text,
        tags text[] NOT NULL DEFAULT '{}',
        opted_in boolean NOT NULL DEFAULT true,
        consent_at timestamptz,
        source text NOT NULL CONSTRAINT contacts_source_check CHECK (source IN ('api', 'import', 'inbound', 'campaign', 'send')),
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contacts_identity_check CHECK (phone_number IS NOT NULL OR user_id IS NOT NULL OR merged_into IS NOT NULL),
        CONSTRAINT contacts_merged_check CHECK (merged_into IS NULL OR deleted_at IS NOT NULL)
      ) WITH (fillfactor = 90)
    `);
    await runner.query(`
      CREATE UNIQUE INDEX contacts_user_id_key ON contacts (account_id, user_id) WHERE user_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX contacts_wa_id_idx ON contacts (account_id, wa_id) WHERE wa_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX contacts_newest_idx ON contacts (account_id, created_at, id) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      -- Trigrams are made of what the database's locale takes for letters, and in the C locale that is ASCII alone. Each byte
      -- beyond it becomes three octal digits here, so that names of any script are found through the index.
      CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN encode(decode(replace(lower(value), '\\', '\\\\'), 'escape'), 'escape')
    `);
    await runner.query(`
      CREATE FUNCTION contact_search_key(first_name text, last_name text, phone_number text, email text)
        RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_key(first_name || coalesce(' ' || last_name, '') || coalesce(' ' || phone_number, '') || coalesce(' ' || email, ''))
    `);
    await runner.query(`
      COMMENT ON FUNCTION contact_search_key IS 'narrows a search down through contacts_search_idx; the query decides on the fields themselves'
    `);
    await runner.query(`
      CREATE FUNCTION substring_pattern(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN '%' || replace(replace(replace(value, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
    `);
    await runner.query(`
      CREATE INDEX contacts_search_idx ON contacts
        USING gin (account_id, contact_search_key(first_name, last_name, phone_number, email) gin_trgm_ops)
        WHERE deleted_at IS NULL
    `);
    await runner.query(`
      -- Last, here and in all tables that grow: of indexes that look equally good, as they do while a table is empty, the
      -- planner takes the one made last, and a plan may be kept until the table is large. A partial index looks better than
      -- a whole one, so look-ups by number take this one, and look-ups by id, which cannot, take the primary key.
      CREATE UNIQUE INDEX contacts_phone_number_key ON contacts (account_id, phone_number) WHERE phone_number IS NOT NULL
    `);
    await runner.query(`
      ALTER TABLE contacts ADD CONSTRAINT contacts_pkey PRIMARY KEY (account_id, id)
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.user_id IS 'the network''s business-scoped id of the person'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.wa_id IS 'the number the network knows the contact by, where it differs from phone_number'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.merged_into IS 'the contact that turned out to be the same person; nobody is found by this one any more'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.consent_at IS 'when opted_in was last decided, by the contact or the account; null: never'
    `);
    await runner.query(`
      CREATE FUNCTION count_inserted_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        SELECT account_id, 'contacts', account_id, count(*) FROM inserted WHERE deleted_at IS NULL GROUP BY account_id;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_contacts()
    `);
    await runner.query(`
      CREATE FUNCTION recount_contact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO counter_changes (account_id, counter, subject_id, amount)
        VALUES (OLD.account_id, 'contacts', OLD.account_id,
                CASE WHEN TG_OP = 'UPDATE' AND OLD.deleted_at IS NOT NULL THEN 1 ELSE -1 END);
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER contacts_deleted AFTER UPDATE OF deleted_at ON contacts FOR EACH ROW
        WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION recount_contact()
    `);
    await runner.query(`
      CREATE TRIGGER contacts_gone AFTER DELETE ON contacts FOR EACH ROW
        WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION recount_contact()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE contacts
    `);
    await runner.query(`
      DROP FUNCTION recount_contact, count_inserted_contacts
    `);
    await runner.query(`
      DROP FUNCTION contact_search_key, search_key, substring_pattern
    `);
    await runner.query(`
      DROP EXTENSION btree_gin
    `);
    await runner.query(`
      DROP EXTENSION pg_trgm
    `);
  }
}
