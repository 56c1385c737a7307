import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts: the tenants. */
export class CreateAccounts1790000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
        organisation_id uuid CONSTRAINT accounts_organisation_fkey REFERENCES organisations (id),
        owner_id uuid NOT NULL CONSTRAINT accounts_owner_fkey REFERENCES users (id),
        name text NOT NULL,
        status text NOT NULL DEFAULT 'active' CONSTRAINT accounts_status_check CHECK (status IN ('active', 'suspended')),
        created_at timestamptz NOT NULL DEFAULT now()
      )
    `);
    await runner.query(`
      CREATE INDEX accounts_organisation_idx ON accounts (organisation_id)
    `);
    await runner.query(`
      CREATE TRIGGER accounts_epoch AFTER INSERT OR UPDATE OR DELETE ON accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE accounts
    `);
  }
}
