import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has paused a campaign, and when; it may have been the brake. */
export class TellWhoPausesCampaigns1790000000124 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns
        ADD COLUMN paused_at timestamptz, ADD COLUMN paused_by uuid, ADD COLUMN paused_source text
    `);
    const comments = {
      paused_at: 'when it was last paused, also if it was resumed since',
      paused_by: 'on whose behalf it was last paused; null: it paused itself',
      paused_source: 'how it was last paused; null: it paused itself',
    };
    for (const [column, comment] of Object.entries(comments)) {
      await runner.query(`COMMENT ON COLUMN campaigns.${column} IS '${comment}'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns DROP COLUMN paused_at, DROP COLUMN paused_by, DROP COLUMN paused_source
    `);
  }
}
