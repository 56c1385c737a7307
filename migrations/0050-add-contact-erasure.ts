import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erased contacts, the work left to erase them everywhere, and people whom an account must not message again. */
export class AddContactErasure1790000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts
        ADD COLUMN erased_at timestamptz,
        DROP CONSTRAINT contacts_identity_check,
        ADD CONSTRAINT contacts_identity_check
          CHECK (phone_number IS NOT NULL OR user_id IS NOT NULL OR merged_into IS NOT NULL OR erased_at IS NOT NULL),
        ADD CONSTRAINT contacts_erased_check
          CHECK (erased_at IS NULL OR deleted_at IS NOT NULL AND phone_number IS NULL AND user_id IS NULL
                 AND username IS NULL AND wa_id IS NULL AND first_name = '' AND last_name IS NULL AND email IS NULL
                 AND company IS NULL AND tags = '{}')
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.erased_at IS 'since when nothing here tells of the person; what the contact has elsewhere is never shown'
    `);
    await runner.query(`
      CREATE INDEX contacts_erased_idx ON contacts (account_id, id) WHERE erased_at IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX contacts_merged_idx ON contacts (account_id, merged_into) WHERE merged_into IS NOT NULL
    `);
    await runner.query(`
      CREATE VIEW erased_contacts AS SELECT account_id, id AS contact_id FROM contacts WHERE erased_at IS NOT NULL
    `);
    await runner.query(`
      COMMENT ON VIEW erased_contacts IS 'contacts of whom nothing is shown or told'
    `);
    await runner.query(`
      CREATE TABLE contact_erasures (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT now(),
        identity text,
        passes integer NOT NULL DEFAULT 0,
        due_at timestamptz DEFAULT now(),
        in_run boolean NOT NULL DEFAULT false,
        cleared_at timestamptz,
        CONSTRAINT contact_erasures_pkey PRIMARY KEY (account_id, contact_id),
        CONSTRAINT contact_erasures_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.identity IS 'what the person is found by in texts, AES-256-GCM, bound to account and row; null once that is over'
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.passes IS 'how often all tables have been gone through'
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.due_at IS 'when they are gone through next; null: no more'
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.in_run IS 'whether the run of the account is about it'
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_erasures.cleared_at IS 'since when nothing that identifies is stored, not even here'
    `);
    await runner.query(`
      CREATE INDEX contact_erasures_due_idx ON contact_erasures (account_id, due_at) WHERE due_at IS NOT NULL
    `);
    await runner.query(`
      CREATE TABLE erasure_runs (
        account_id uuid CONSTRAINT erasure_runs_pkey PRIMARY KEY
          CONSTRAINT erasure_runs_account_fkey REFERENCES accounts (id),
        started_at timestamptz NOT NULL DEFAULT now(),
        log_from uuid NOT NULL,
        step text NOT NULL,
        position text
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON TABLE erasure_runs IS 'how far an account''s tables have been gone through for its erasures'
    `);
    await runner.query(`
      COMMENT ON COLUMN erasure_runs.log_from IS 'where the log of events is read from: what is older holds nothing of them any more'
    `);
    await runner.query(`
      COMMENT ON COLUMN erasure_runs.position IS 'what the step has come to; null: it has not begun'
    `);
    await runner.query(`
      CREATE TABLE suppressions (
        account_id uuid NOT NULL CONSTRAINT suppressions_account_fkey REFERENCES accounts (id),
        identity_hash text NOT NULL,
        opted_out_at timestamptz NOT NULL,
        CONSTRAINT suppressions_pkey PRIMARY KEY (account_id, identity_hash)
      )
    `);
    await runner.query(`
      COMMENT ON TABLE suppressions IS 'people who had opted out when they were erased: a new contact of theirs begins opted out'
    `);
    await runner.query(`
      COMMENT ON COLUMN suppressions.identity_hash IS 'HMAC-SHA-256 of account and number or user id, under the key in hash_keys'
    `);
    await runner.query(`
      CREATE TABLE hash_keys (
        name text CONSTRAINT hash_keys_pkey PRIMARY KEY,
        secret text NOT NULL
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN hash_keys.secret IS 'AES-256-GCM, bound to the name; the key within never changes, or no hash would be found again'
    `);
    await runner.query(`
      -- The network's ids hold the number of the person. Hashed they still make reports and repetitions meet their message.
      CREATE FUNCTION erased_network_id(network_message_id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN CASE WHEN network_message_id LIKE 'erased:%' THEN network_message_id
                    ELSE 'erased:' || encode(sha256(convert_to(network_message_id, 'UTF8')), 'hex') END
    `);
    await runner.query(`
      -- Numbers, the network's ids of people and e-mail addresses are looked for as whole words.
      CREATE FUNCTION names_person(body text, tokens text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN EXISTS (
          SELECT FROM regexp_matches(body, '[^s"''<>()[]{},;:@]+@[^s"''<>()[]{},;:@]+|m[A-Z]{2}.[A-Za-z0-9]+|[0-9]{7,}', 'g') AS found (word)
          WHERE rtrim(lower(found.word[1]), '.') = ANY (tokens)
        )
    `);
    await runner.query(`
      COMMENT ON FUNCTION names_person IS 'the tokens are in lower case; redaction.ts reads texts in the same way'
    `);
    await runner.query(`
      CREATE TABLE contact_purges (
        account_id uuid CONSTRAINT contact_purges_pkey PRIMARY KEY
          CONSTRAINT contact_purges_account_fkey REFERENCES accounts (id),
        below uuid NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await runner.query(`
      COMMENT ON TABLE contact_purges IS 'accounts whose contacts are all being erased: until that is done their keys are answered nothing'
    `);
    await runner.query(`
      COMMENT ON COLUMN contact_purges.below IS 'contacts with lower ids are still to be erased; the highest ones go first'
    `);
    await runner.query(`
      CREATE TRIGGER contact_purges_epoch AFTER INSERT OR DELETE ON contact_purges
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE INDEX campaign_recipients_personal_idx ON campaign_recipients (account_id, contact_id) WHERE personal IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX unhandled_callbacks_account_idx ON unhandled_callbacks (account_id, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX unhandled_callbacks_account_idx
    `);
    await runner.query(`
      DROP INDEX campaign_recipients_personal_idx
    `);
    await runner.query(`
      DROP FUNCTION erased_network_id, names_person
    `);
    await runner.query(`
      DROP TABLE contact_purges, hash_keys, suppressions, erasure_runs, contact_erasures
    `);
    await runner.query(`
      DROP VIEW erased_contacts
    `);
    await runner.query(`
      DROP INDEX contacts_merged_idx
    `);
    await runner.query(`
      ALTER TABLE contacts
        DROP COLUMN erased_at,
        ADD CONSTRAINT contacts_identity_check
          CHECK (phone_number IS NOT NULL OR user_id IS NOT NULL OR merged_into IS NOT NULL)
    `);
  }
}
