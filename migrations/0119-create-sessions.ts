import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets people sign in. E-mail addresses compare without case from now on; where an organisation has the same one twice,
 * the later ones keep it and are marked, because no rule could tell which of them is wrong.
 */
export class CreateSessions1790000000119 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN password_hash text,
        ADD COLUMN email_clashes boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN users.password_hash IS 'argon2id; null until a password is chosen'
    `);
    await runner.query(`
      UPDATE users u SET email_clashes = true
      WHERE EXISTS (
        SELECT FROM users earlier
        WHERE earlier.organisation_id = u.organisation_id AND lower(earlier.email) = lower(u.email)
          AND (earlier.created_at, earlier.id) < (u.created_at, u.id)
      )
    `);
    await runner.query(`
      ALTER TABLE users DROP CONSTRAINT users_organisation_email_key
    `);
    await runner.query(`
      CREATE UNIQUE INDEX users_organisation_email_key ON users (organisation_id, lower(email)) WHERE NOT email_clashes
    `);
    await runner.query(`
      CREATE INDEX users_email_idx ON users (lower(email))
    `);
    await runner.query(`
      CREATE INDEX accounts_owner_idx ON accounts (owner_id)
    `);
    await runner.query(`
      CREATE TRIGGER users_epoch AFTER UPDATE OF organisation_id, full_name, email, role, status ON users
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TABLE sessions (
        user_id uuid CONSTRAINT sessions_user_fkey REFERENCES users (id),
        id uuid,
        token_hash bytea NOT NULL CONSTRAINT sessions_token_hash_key UNIQUE,
        must_set_password boolean NOT NULL,
        created_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        address text,
        device text,
        CONSTRAINT sessions_pkey PRIMARY KEY (user_id, id)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the cookie'
    `);
    await runner.query(`
      COMMENT ON COLUMN sessions.device IS 'the user agent that signed in'
    `);
    await runner.query(`
      CREATE INDEX sessions_seen_idx ON sessions (seen_at)
    `);
    await runner.query(`
      CREATE TRIGGER sessions_epoch AFTER UPDATE OF must_set_password OR DELETE ON sessions
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TABLE sign_in_links (
        user_id uuid CONSTRAINT sign_in_links_user_fkey REFERENCES users (id),
        token_hash bytea,
        asks_password boolean NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz,
        CONSTRAINT sign_in_links_pkey PRIMARY KEY (user_id, token_hash),
        CONSTRAINT sign_in_links_token_hash_key UNIQUE (token_hash)
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN sign_in_links.expires_at IS 'null: valid until it is used'
    `);
    await runner.query(`
      CREATE TABLE sign_in_tries (
        email_hash bytea CONSTRAINT sign_in_tries_pkey PRIMARY KEY,
        failures integer NOT NULL,
        last_at timestamptz NOT NULL,
        blocked_until timestamptz NOT NULL,
        told_at timestamptz
      )
    `);
    await runner.query(`
      COMMENT ON COLUMN sign_in_tries.told_at IS 'when a refusal was last written to the audit log'
    `);
    await runner.query(`
      CREATE INDEX sign_in_tries_last_idx ON sign_in_tries (last_at)
    `);
    await runner.query(`
      ALTER TABLE audit_entries
        ADD COLUMN user_id uuid,
        ADD COLUMN user_name text,
        DROP CONSTRAINT audit_entries_actor_check,
        ADD CONSTRAINT audit_entries_actor_check CHECK (actor IN ('api_key', 'user', 'cli', 'system')) NOT VALID
    `);
    await runner.query(`
      COMMENT ON COLUMN audit_entries.user_name IS 'the name that the user had at the time'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM audit_entries WHERE actor = 'user'
    `);
    await runner.query(`
      ALTER TABLE audit_entries
        DROP COLUMN user_id,
        DROP COLUMN user_name,
        DROP CONSTRAINT audit_entries_actor_check,
        ADD CONSTRAINT audit_entries_actor_check CHECK (actor IN ('api_key', 'cli', 'system'))
    `);
    await runner.query(`
      DROP TABLE sign_in_tries, sign_in_links, sessions
    `);
    await runner.query(`
      DROP TRIGGER users_epoch ON users
    `);
    await runner.query(`
      DROP INDEX accounts_owner_idx, users_email_idx, users_organisation_email_key
    `);
    await runner.query(`
      ALTER TABLE users
        DROP COLUMN password_hash,
        DROP COLUMN email_clashes,
        ADD CONSTRAINT users_organisation_email_key UNIQUE (organisation_id, email)
    `);
  }
}
