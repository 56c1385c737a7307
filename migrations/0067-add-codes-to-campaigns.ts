import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One-time codes that are still to be sent, encrypted, apart from the other values of a campaign and its recipients. The
 * index has only recipients with a code: the sweep finds those that are settled, and the re-encryption finds all.
 */
export class AddCodesToCampaigns1790000000067 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns ADD COLUMN code text');
    await runner.query(`
      COMMENT ON COLUMN campaigns.code IS 'the one-time code of all recipients without one of their own: AES-256-GCM, bound to account and campaign; null once nobody is left to send it to'
    `);
    await runner.query('ALTER TABLE campaign_recipients ADD COLUMN code text');
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.code IS 'the recipient''s own one-time code: AES-256-GCM, bound to account, campaign and position; null once the recipient is settled'
    `);
    await runner.query('CREATE INDEX campaigns_code_idx ON campaigns (account_id, id) WHERE code IS NOT NULL');
    await runner.query(`
      CREATE INDEX campaign_recipients_code_idx ON campaign_recipients (state, account_id, campaign_id, position)
        WHERE code IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaign_recipients DROP COLUMN code');
    await runner.query('ALTER TABLE campaigns DROP COLUMN code');
  }
}
