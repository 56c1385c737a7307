import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Template values of individual recipients, null for most: nearly all campaigns send everyone the same. */
export class AddPersonalValuesToCampaignRecipients1790000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaign_recipients ADD COLUMN personal jsonb
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.personal IS 'what is filled in for this recipient alone: body_data, header_data, button_params, media_url; null: nothing'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaign_recipients DROP COLUMN personal
    `);
  }
}
