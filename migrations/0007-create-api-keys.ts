import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys: only a hash of the secret part is kept. */
export class CreateApiKeys1790000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_keys (
        account_id uuid NOT NULL CONSTRAINT api_keys_account_fkey REFERENCES accounts (id),
        id uuid NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        secret_hash bytea NOT NULL,
        scopes text[] NOT NULL,
        rate_limit integer NOT NULL DEFAULT 100 CONSTRAINT api_keys_rate_limit_check CHECK (rate_limit > 0),
        idempotency_family uuid NOT NULL,
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT api_keys_prefix_key UNIQUE (prefix)
      ) WITH (fillfactor = 80)
    `);
    await runner.query(`
      COMMENT ON COLUMN api_keys.secret_hash IS 'SHA-256 of the secret part; the key itself is never stored'
    `);
    await runner.query(`
      COMMENT ON COLUMN api_keys.idempotency_family IS 'shared by a key and the keys it is rotated into, so that they share idempotency keys'
    `);
    await runner.query(`
      CREATE TRIGGER api_keys_epoch AFTER INSERT OR DELETE OR UPDATE OF name, scopes, rate_limit, expires_at, revoked_at ON api_keys
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE api_keys
    `);
  }
}
