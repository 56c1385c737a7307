import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time codes that were stored before they were kept out of texts: one row for each account that may have some. */
export class CreateCodeMaskingRuns1790000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE code_masking_runs (
        account_id uuid CONSTRAINT code_masking_runs_pkey PRIMARY KEY
          CONSTRAINT code_masking_runs_account_fkey REFERENCES accounts (id),
        started_at timestamptz NOT NULL DEFAULT now(),
        passes integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        step text NOT NULL DEFAULT 'messages',
        position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      COMMENT ON TABLE code_masking_runs IS 'accounts whose tables are still to be searched for one-time codes from before the release that masks them; a row goes when its account is done'
    `);
    await runner.query(`
      COMMENT ON COLUMN code_masking_runs.passes IS 'how often its tables have been gone through; the second time is for what processes of the release before have stored since'
    `);
    await runner.query(`
      COMMENT ON COLUMN code_masking_runs.position IS 'the last message or campaign that the step has come to'
    `);
    await runner.query(`
      INSERT INTO code_masking_runs (account_id)
      SELECT DISTINCT account_id FROM templates WHERE category = 'AUTHENTICATION'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE code_masking_runs');
  }
}
