import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The failure rate at which a campaign pauses itself. */
export class AddFailureBrakes1790000000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns
        ADD COLUMN max_failure_percent integer
          CONSTRAINT campaigns_max_failure_percent_check CHECK (max_failure_percent BETWEEN 1 AND 100),
        ADD COLUMN judged_from timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.max_failure_percent IS 'it pauses itself when more of the last 100 answered recipients failed; null: never'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.judged_from IS 'messages made earlier do not count toward max_failure_percent; null: all count'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns DROP COLUMN max_failure_percent, DROP COLUMN judged_from
    `);
  }
}
