import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets an endpoint keep every secret that was replaced less than a day ago, and headers of its own. `previous_secret`
 * stays the one replaced last.
 */
export class AddOlderSecretsAndHeaders1790000000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints
        ADD older_secrets text[] NOT NULL DEFAULT '{}',
        ADD older_secrets_until timestamptz[] NOT NULL DEFAULT '{}',
        ADD headers text,
        ADD header_names text[] NOT NULL DEFAULT '{}'
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.older_secrets IS
        'replaced before previous_secret, newest first; sealed like secret'
    `);
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.headers IS
        'AES-256-GCM, bound to account and row; null when there are none'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints
        DROP COLUMN older_secrets,
        DROP COLUMN older_secrets_until,
        DROP COLUMN headers,
        DROP COLUMN header_names
    `);
  }
}
