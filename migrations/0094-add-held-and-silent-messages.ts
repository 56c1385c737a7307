import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns count the messages that the network holds back; messages that it accepted and never reported are found; and a
 * recipient who reached the limit of marketing messages is retried once.
 */
export class AddHeldAndSilentMessages1790000000094 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaign_recipients ADD COLUMN cap_retried boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.cap_retried IS 'whether it was retried after 131049, which is done once'
    `);
    await runner.query(`
      CREATE TABLE silence_looks (
        after_days integer CONSTRAINT silence_looks_pkey PRIMARY KEY,
        looked_until timestamptz NOT NULL
      )
    `);
    await runner.query(`
      COMMENT ON TABLE silence_looks IS 'how far the log was searched for messages without any report, by their age; begins at the upgrade'
    `);
    await runner.query(`INSERT INTO silence_looks (after_days, looked_until) VALUES (30, now()), (60, now())`);
    await runner.query(`
      INSERT INTO counter_changes (account_id, counter, subject_id, amount)
      SELECT account_id, 'campaign.held', campaign_id, count(*) FROM messages
      WHERE status = 'accepted' AND campaign_id IS NOT NULL
      GROUP BY account_id, campaign_id
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM counter_changes WHERE counter = 'campaign.held'`);
    await runner.query(`DELETE FROM counters WHERE counter = 'campaign.held'`);
    await runner.query('DROP TABLE silence_looks');
    await runner.query('ALTER TABLE campaign_recipients DROP COLUMN cap_retried');
  }
}
