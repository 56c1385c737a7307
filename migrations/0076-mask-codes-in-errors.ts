import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Goes through the one-time codes from before again: the network's errors and their events may quote one. */
export class MaskCodesInErrors1790000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO code_masking_runs (account_id)
      SELECT DISTINCT account_id FROM templates WHERE category = 'AUTHENTICATION'
      ON CONFLICT (account_id) DO UPDATE
      SET started_at = DEFAULT, passes = DEFAULT, due_at = DEFAULT, step = DEFAULT, position = DEFAULT
    `);
  }

  /** The runs end by themselves. */
  async down(): Promise<void> {}
}
