import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apps at Meta besides the one in the environment. A phone without an app belongs to that one. */
export class CreateNetworkApps1790000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE network_apps (
        app_id text NOT NULL,
        app_secret text NOT NULL,
        verify_token text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT network_apps_pkey PRIMARY KEY (app_id)
      )
    `);
    await runner.query(`
      CREATE TRIGGER network_apps_epoch AFTER INSERT OR UPDATE OR DELETE ON network_apps
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      ALTER TABLE business_phones ADD COLUMN app_id text
        CONSTRAINT business_phones_app_fkey REFERENCES network_apps (app_id)
    `);
    await runner.query(`
      COMMENT ON COLUMN business_phones.app_id IS 'the app that gets its callbacks; null is the one in the environment'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE business_phones DROP COLUMN app_id');
    await runner.query('DROP TABLE network_apps');
  }
}
