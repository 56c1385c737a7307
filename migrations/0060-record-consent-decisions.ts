import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger of consent: who decided what about marketing messages, when, and the evidence. */
export class RecordConsentDecisions1790000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts
        ADD COLUMN consent_by text CONSTRAINT contacts_consent_by_check CHECK (consent_by IN ('person', 'network', 'account'))
    `);
    await runner.query(`
      UPDATE contacts
      SET consent_by = CASE WHEN opted_in THEN 'account' ELSE 'person' END,
          consent_at = coalesce(consent_at, date_trunc('second', updated_at))
      WHERE NOT opted_in OR consent_at IS NOT NULL
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.consent_by IS 'who made the decision in force; null: nobody has decided'
    `);
    await runner.query(`
      -- Contacts made while the key of the suppression hashes could not be read.
      CREATE INDEX contacts_unchecked_idx ON contacts (account_id, id) WHERE NOT opted_in AND consent_at IS NULL
    `);
    await runner.query(`
      CREATE TABLE consent_decisions (
        account_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        number bigint GENERATED ALWAYS AS IDENTITY,
        opted_in boolean NOT NULL,
        decided_by text NOT NULL CONSTRAINT consent_decisions_decided_by_check CHECK (decided_by IN ('person', 'network', 'account')),
        decided_at timestamptz NOT NULL,
        evidence_kind text CONSTRAINT consent_decisions_evidence_kind_check
          CHECK (evidence_kind IN ('message', 'callback', 'request', 'import', 'merge')),
        evidence_id text,
        CONSTRAINT consent_decisions_evidence_check CHECK ((evidence_kind IS NULL) = (evidence_id IS NULL)),
        CONSTRAINT consent_decisions_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      INSERT INTO consent_decisions (account_id, contact_id, opted_in, decided_by, decided_at)
      SELECT account_id, id, false, 'person', consent_at FROM contacts
      WHERE NOT opted_in AND erased_at IS NULL AND merged_into IS NULL
      ORDER BY account_id, id
    `);
    await runner.query(`
      ALTER TABLE consent_decisions ADD CONSTRAINT consent_decisions_pkey PRIMARY KEY (account_id, contact_id, number)
    `);
    await runner.query(`
      COMMENT ON TABLE consent_decisions IS 'decisions about marketing messages; contacts.opted_in follows from them'
    `);
    await runner.query(`
      COMMENT ON COLUMN consent_decisions.number IS 'the order in which decisions arrived'
    `);
    await runner.query(`
      -- What a decision does to the one in force: 'taken' replaces it, 'repeated' says the same, 'late' is older and
      -- changes nothing, 'refused' is an account's opt-in that may not lift an opt-out by the person or the network.
      CREATE FUNCTION consent_verdict(
        current_opted_in boolean, current_by text, current_at timestamptz,
        opted_in boolean, decided_by text, decided_at timestamptz, lifts boolean
      ) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
          WHEN current_at IS NULL THEN 'taken'
          WHEN opted_in = current_opted_in THEN CASE
            WHEN decided_by = 'account' OR coalesce(current_by, 'person') <> 'account' THEN 'repeated'
            WHEN NOT opted_in OR decided_at >= current_at THEN 'taken'
            ELSE 'repeated'
          END
          WHEN opted_in THEN CASE
            WHEN decided_by = 'account' AND coalesce(current_by, 'person') <> 'account' AND NOT lifts THEN 'refused'
            WHEN decided_at >= current_at THEN 'taken'
            ELSE 'late'
          END
          WHEN decided_at >= current_at THEN 'taken'
          WHEN decided_by <> 'account' AND coalesce(current_by, 'account') = 'account' THEN 'taken'
          ELSE 'late'
        END
    `);
    await runner.query(`
      COMMENT ON FUNCTION consent_verdict IS 'the rule of consent, explained in docs/data-protection.md; nothing else decides opted_in'
    `);
    await runner.query(`
      ALTER TABLE suppressions
        ADD COLUMN opted_out_by text NOT NULL DEFAULT 'person'
          CONSTRAINT suppressions_opted_out_by_check CHECK (opted_out_by IN ('person', 'network', 'account')),
        ADD COLUMN evidence_kind text,
        ADD COLUMN evidence_id text,
        ADD COLUMN person uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN written_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN look_at timestamptz,
        ADD CONSTRAINT suppressions_evidence_check CHECK ((evidence_kind IS NULL) = (evidence_id IS NULL))
    `);
    await runner.query(`
      ALTER TABLE suppressions ALTER COLUMN look_at SET DEFAULT now() + interval '5 minutes'
    `);
    await runner.query(`
      COMMENT ON TABLE suppressions IS 'people without a contact who opted out: a new contact of theirs begins opted out'
    `);
    await runner.query(`
      COMMENT ON COLUMN suppressions.look_at IS 'when contacts are looked through that were made while this row was written; null: done'
    `);
    await runner.query(`
      COMMENT ON COLUMN suppressions.person IS 'the same in all rows about one person, who opts in by any of them'
    `);
    await runner.query(`
      CREATE INDEX suppressions_person_idx ON suppressions (account_id, person)
    `);
    await runner.query(`
      CREATE INDEX suppressions_look_idx ON suppressions (look_at) WHERE look_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX suppressions_look_idx, suppressions_person_idx
    `);
    await runner.query(`
      COMMENT ON TABLE suppressions IS 'people who had opted out when they were erased: a new contact of theirs begins opted out'
    `);
    await runner.query(`
      ALTER TABLE suppressions
        DROP CONSTRAINT suppressions_evidence_check,
        DROP COLUMN look_at, DROP COLUMN written_at, DROP COLUMN person, DROP COLUMN evidence_id, DROP COLUMN evidence_kind,
        DROP COLUMN opted_out_by
    `);
    await runner.query(`
      DROP FUNCTION consent_verdict
    `);
    await runner.query(`
      DROP TABLE consent_decisions
    `);
    await runner.query(`
      DROP INDEX contacts_unchecked_idx
    `);
    await runner.query(`
      ALTER TABLE contacts DROP COLUMN consent_by
    `);
  }
}
