import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets changes of templates advance the configuration epoch, so that senders may remember them. */
export class WatchTemplates1790000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER templates_epoch AFTER INSERT OR DELETE OR UPDATE ON templates
        FOR EACH STATEMENT EXECUTE FUNCTION advance_configuration_epoch()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER templates_epoch ON templates
    `);
  }
}
