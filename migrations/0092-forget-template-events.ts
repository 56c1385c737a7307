import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Templates no longer keep `FLAGGED` and `LOCKED` as their state: these are events, and lists never show them. The
 * state of such templates is read from the network again.
 */
export class ForgetTemplateEvents1790000000092 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN template_looks.change_at IS
        'when the network will change its category, as announced; or when a notice left its state or category in doubt'
    `);
    await runner.query(`
      INSERT INTO template_looks (account_id, template_id, change_at, look_at)
      SELECT account_id, id, now(), now() FROM templates
      WHERE network_status IN ('FLAGGED', 'LOCKED') AND deleted_at IS NULL
      ON CONFLICT (account_id, template_id) DO UPDATE SET look_at = EXCLUDED.look_at
    `);
    await runner.query(`UPDATE templates SET network_status = status WHERE network_status IN ('FLAGGED', 'LOCKED')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN template_looks.change_at IS 'when the network will change its category, as announced'
    `);
  }
}
