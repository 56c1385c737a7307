import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People: agents of an organisation and owners of accounts. */
export class CreateUsers1790000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY,
        organisation_id uuid CONSTRAINT users_organisation_fkey REFERENCES organisations (id),
        full_name text NOT NULL,
        email text NOT NULL,
        role text NOT NULL CONSTRAINT users_role_check CHECK (role IN ('owner', 'admin', 'manager', 'agent')),
        status text NOT NULL DEFAULT 'active' CONSTRAINT users_status_check CHECK (status IN ('active', 'deactivated')),
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_organisation_id_key UNIQUE (organisation_id, id),
        CONSTRAINT users_organisation_email_key UNIQUE (organisation_id, email)
      )
    `);
    await runner.query(`
      CREATE INDEX users_newest_idx ON users (organisation_id, status, created_at, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE users
    `);
  }
}
