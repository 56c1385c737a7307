import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a campaign must not run into: the end of its limited-time offer, a second before which nothing more is sent, and
 * the deletion of its template, which is announced before the network is asked for it.
 */
export class ProtectUnfinishedCampaigns1790000000093 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns ADD COLUMN offer_ends_at timestamptz');
    await runner.query(`
      UPDATE campaigns g
      SET offer_ends_at = to_timestamp((g.content ->> 'expirationTimeMs')::float8 / 1000 - 1)
      FROM templates t
      WHERE t.account_id = g.account_id AND t.id = g.template_id AND t.limited_time_offer IS NOT NULL
        AND g.status IN ('draft', 'scheduled', 'running', 'failed')
    `);
    await runner.query('DROP INDEX campaigns_closing_idx');
    await runner.query(`
      CREATE INDEX campaigns_closing_idx ON campaigns (closes_at)
        WHERE status = 'running' OR status = 'failed' AND (send_before IS NOT NULL OR offer_ends_at IS NOT NULL)
    `);
    await runner.query('ALTER TABLE templates ADD COLUMN deleting_until timestamptz');
    await runner.query(`
      COMMENT ON COLUMN templates.deleting_until IS 'until then a call may be deleting it on the network, and no campaign with it may be created or started'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE templates DROP COLUMN deleting_until');
    await runner.query('DROP INDEX campaigns_closing_idx');
    await runner.query('ALTER TABLE campaigns DROP COLUMN offer_ends_at');
    await runner.query(`
      CREATE INDEX campaigns_closing_idx ON campaigns (closes_at)
        WHERE status = 'running' OR status = 'failed' AND send_before IS NOT NULL
    `);
  }
}
