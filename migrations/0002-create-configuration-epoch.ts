import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row that every change of configuration advances, so that the caches of all processes notice within a second. */
export class CreateConfigurationEpoch1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE configuration_epoch (
        only_row boolean CONSTRAINT configuration_epoch_pkey PRIMARY KEY DEFAULT true
          CONSTRAINT configuration_epoch_only_row_check CHECK (only_row),
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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION advance_configuration_epoch
    `);
    await runner.query(`
      DROP TABLE configuration_epoch
    `);
  }
}
