import type { MigrationInterface, QueryRunner } from 'typeorm';

const CREATE_TRIGGER = (columns: string) => `
  CREATE OR REPLACE TRIGGER api_keys_epoch AFTER INSERT OR DELETE OR UPDATE OF ${columns} ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
`;

/** Tells caches of every change of a key but its last use: a replaced secret is refused within a second. */
export class WatchSecretsOfKeys1790000000058 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      CREATE_TRIGGER(
        'name, prefix, secret_hash, scopes, rate_limit, idempotency_family, allowed_networks, expires_at, revoked_at',
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_TRIGGER('name, scopes, rate_limit, expires_at, revoked_at'));
  }
}
