import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A counter that every change of keys, accounts, phones and organisations advances, so that caches notice within a second. */
export class CreateConfigurationEpoch1790000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE configuration_epoch (
        only_row boolean CONSTRAINT configuration_epoch_pkey PRIMARY KEY DEFAULT true CHECK (only_row),
        epoch bigint NOT NULL
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      INSERT INTO configuration_epoch (epoch) VALUES (1)
    `);
    await runner.query(`
      CREATE FUNCTION advance_configuration_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE configuration_epoch SET epoch = epoch + 1;
        RETURN NULL;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER organisations_epoch AFTER INSERT OR UPDATE OR DELETE ON organisations
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TRIGGER accounts_epoch AFTER INSERT OR UPDATE OR DELETE ON accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TRIGGER api_keys_epoch AFTER INSERT OR DELETE OR UPDATE OF name, scopes, rate_limit, expires_at, revoked_at ON api_keys
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TRIGGER business_accounts_epoch AFTER INSERT OR UPDATE OR DELETE ON business_accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
    await runner.query(`
      CREATE TRIGGER business_phones_epoch AFTER INSERT OR UPDATE OR DELETE ON business_phones
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER business_phones_epoch ON business_phones
    `);
    await runner.query(`
      DROP TRIGGER business_accounts_epoch ON business_accounts
    `);
    await runner.query(`
      DROP TRIGGER api_keys_epoch ON api_keys
    `);
    await runner.query(`
      DROP TRIGGER accounts_epoch ON accounts
    `);
    await runner.query(`
      DROP TRIGGER organisations_epoch ON organisations
    `);
    await runner.query(`
      DROP FUNCTION advance_configuration_epoch
    `);
    await runner.query(`
      DROP TABLE configuration_epoch
    `);
  }
}
