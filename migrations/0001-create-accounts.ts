import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organisations, the people in them, and the accounts (tenants) that belong to them. */
export class CreateAccounts1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organisations (
        id uuid CONSTRAINT organisations_pkey PRIMARY KEY,
        name text NOT NULL,
        auto_inbound boolean NOT NULL DEFAULT false,
        auto_reply text,
        auto_reply_user_id uuid,
        stop_words text[] NOT NULL DEFAULT '{STOP,UNSUBSCRIBE,OPT OUT}',
        start_words text[] NOT NULL DEFAULT '{START}',
        created_at timestamptz NOT NULL DEFAULT now()
      )
    `);
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
      ALTER TABLE organisations ADD CONSTRAINT organisations_auto_reply_user_fkey
        FOREIGN KEY (id, auto_reply_user_id) REFERENCES users (organisation_id, id)
    `);
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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE accounts
    `);
    await runner.query(`
      ALTER TABLE organisations DROP CONSTRAINT organisations_auto_reply_user_fkey
    `);
    await runner.query(`
      DROP TABLE users
    `);
    await runner.query(`
      DROP TABLE organisations
    `);
  }
}
