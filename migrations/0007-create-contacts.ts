import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contacts, and the groups that hold references to them. */
export class CreateContacts1790000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contacts (
        account_id uuid NOT NULL CONSTRAINT contacts_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        phone_number text NOT NULL,
        first_name text NOT NULL,
        last_name text,
        email text,
        company text,
        tags text[] NOT NULL DEFAULT '{}',
        opted_in boolean NOT NULL DEFAULT true,
        source text NOT NULL CONSTRAINT contacts_source_check CHECK (source IN ('api', 'import', 'inbound', 'campaign', 'send')),
        wa_id text,
        network_user_id text,
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contacts_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT contacts_phone_number_key UNIQUE (account_id, phone_number)
      )
    `);
    await runner.query(`
      CREATE INDEX contacts_wa_id_idx ON contacts (account_id, wa_id) WHERE wa_id IS NOT NULL
    `);
    await runner.query(`
      CREATE INDEX contacts_network_user_id_idx ON contacts (account_id, network_user_id) WHERE network_user_id IS NOT NULL
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.wa_id IS 'the number the network knows the contact by, where it differs from phone_number (D69)'
    `);
    await runner.query(`
      COMMENT ON COLUMN contacts.network_user_id IS 'business-scoped id that the network may give instead of a number (D69)'
    `);
    await runner.query(`
      CREATE TABLE contact_groups (
        account_id uuid NOT NULL CONSTRAINT contact_groups_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        name text NOT NULL,
        description text,
        tags text[] NOT NULL DEFAULT '{}',
        contact_count integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT contact_groups_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT contact_groups_name_key UNIQUE (account_id, name)
      )
    `);
    await runner.query(`
      CREATE TABLE group_members (
        account_id uuid NOT NULL,
        group_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        added_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT group_members_pkey PRIMARY KEY (account_id, group_id, contact_id),
        CONSTRAINT group_members_group_fkey FOREIGN KEY (account_id, group_id)
          REFERENCES contact_groups (account_id, id) ON DELETE CASCADE,
        CONSTRAINT group_members_contact_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX group_members_contact_idx ON group_members (account_id, contact_id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE group_members
    `);
    await runner.query(`
      DROP TABLE contact_groups
    `);
    await runner.query(`
      DROP TABLE contacts
    `);
  }
}
