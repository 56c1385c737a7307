import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Templates whose category is looked up on the network daily: those in use, and those with an announced change. In a
 * table of its own, because each change of a template makes every process load its templates again.
 */
export class CreateTemplateLooks1790000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE template_looks (
        account_id uuid NOT NULL,
        template_id uuid NOT NULL,
        used_at timestamptz,
        change_at timestamptz,
        look_at timestamptz NOT NULL,
        CONSTRAINT template_looks_pkey PRIMARY KEY (account_id, template_id),
        CONSTRAINT template_looks_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id)
      )
    `);
    await runner.query(`
      CREATE INDEX template_looks_due_idx ON template_looks (look_at)
    `);
    await runner.query(`
      COMMENT ON COLUMN template_looks.used_at IS 'when it was last sent, to the hour; NULL: not since the row was created'
    `);
    await runner.query(`
      COMMENT ON COLUMN template_looks.change_at IS 'when the network will change its category, as announced'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE template_looks
    `);
  }
}
