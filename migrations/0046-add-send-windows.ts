import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a campaign may send: hours of the day, a deadline, and the next opening and closing times derived from both. */
export class AddSendWindows1790000000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns
        ADD COLUMN send_window jsonb,
        ADD COLUMN send_before timestamptz,
        ADD COLUMN opens_at timestamptz,
        ADD COLUMN closes_at timestamptz
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.send_window IS 'the hours in which it may send: from, to, timezone; null: any'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.send_before IS 'who is unsent by then is cancelled; null: nobody'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.opens_at IS 'nobody is claimed before; null: at once'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.closes_at IS 'nobody is claimed from then on, until a sweep has found out what follows; null: never'
    `);
    await runner.query(`
      CREATE INDEX campaigns_closing_idx ON campaigns (closes_at)
        WHERE status = 'running' OR status = 'failed' AND send_before IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX campaigns_closing_idx
    `);
    await runner.query(`
      ALTER TABLE campaigns
        DROP COLUMN send_window, DROP COLUMN send_before, DROP COLUMN opens_at, DROP COLUMN closes_at
    `);
  }
}
