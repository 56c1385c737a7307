import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log: who changed what in an account. */
export class CreateAuditEntries1790000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        account_id uuid NOT NULL CONSTRAINT audit_entries_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        actor text NOT NULL CONSTRAINT audit_entries_actor_check CHECK (actor IN ('api_key', 'cli', 'system')),
        api_key_id uuid,
        api_key_name text,
        action text NOT NULL,
        subject_type text NOT NULL,
        subject_id uuid NOT NULL,
        changes jsonb NOT NULL DEFAULT '{}',
        request_id text,
        address text,
        CONSTRAINT audit_entries_pkey PRIMARY KEY (account_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN audit_entries.id IS 'UUIDv7; holds the time of the change'
    `);
    await runner.query(`
      COMMENT ON COLUMN audit_entries.api_key_name IS 'the name that the key had at the time'
    `);
    await runner.query(`
      COMMENT ON COLUMN audit_entries.changes IS 'without secrets and personal data'
    `);
    await runner.query(`
      CREATE INDEX audit_entries_subject_idx ON audit_entries (account_id, subject_id, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_entries
    `);
  }
}
