import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A deleted template's row stays, because campaigns that were made from it point to it; its name is free again (D25,
 * D26). Every template is known upstream: its row is written after the network has accepted it.
 */
export class KeepDeletedTemplates1790000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates
        ADD COLUMN deleted_at timestamptz,
        ALTER COLUMN meta_template_id SET NOT NULL,
        DROP CONSTRAINT templates_name_key
    `);
    await runner.query(`
      CREATE UNIQUE INDEX templates_name_key ON templates (account_id, waba_id, name, language) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      DROP INDEX templates_account_name_idx
    `);
    await runner.query(`
      CREATE INDEX templates_account_name_idx ON templates (account_id, name) WHERE deleted_at IS NULL
    `);
    await runner.query(`
      CREATE INDEX templates_pending_idx ON templates (account_id, waba_id) WHERE status = 'PENDING' AND deleted_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX templates_pending_idx
    `);
    await runner.query(`
      DROP INDEX templates_account_name_idx
    `);
    await runner.query(`
      CREATE INDEX templates_account_name_idx ON templates (account_id, name)
    `);
    await runner.query(`
      DROP INDEX templates_name_key
    `);
    await runner.query(`
      UPDATE templates SET name = name || '_deleted_' || replace(id::text, '-', '_') WHERE deleted_at IS NOT NULL
    `);
    await runner.query(`
      ALTER TABLE templates
        DROP COLUMN deleted_at,
        ALTER COLUMN meta_template_id DROP NOT NULL,
        ADD CONSTRAINT templates_name_key UNIQUE (account_id, waba_id, name, language)
    `);
  }
}
