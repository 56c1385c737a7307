import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The recipients of campaigns. A recipient is updated once, when it is claimed and gets its message; the message has
 * the rest. Partitioned by month of the campaign's id; workers create and drop partitions.
 */
export class CreateCampaignRecipients1790000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE campaign_recipients (
        account_id uuid NOT NULL,
        campaign_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        position integer NOT NULL,
        state text NOT NULL DEFAULT 'pending' CONSTRAINT campaign_recipients_state_check
          CHECK (state IN ('pending', 'claimed', 'cancelled')),
        attempts integer NOT NULL DEFAULT 0,
        first_attempt_at timestamptz,
        due_at timestamptz,
        message_id uuid,
        credit_returned boolean NOT NULL DEFAULT false,
        clicked boolean NOT NULL DEFAULT false,
        replied boolean NOT NULL DEFAULT false
      ) PARTITION BY RANGE (campaign_id)
    `);
    await runner.query(`
      CREATE INDEX campaign_recipients_pending_idx ON campaign_recipients (account_id, campaign_id, position) WHERE state = 'pending'
    `);
    await runner.query(`
      ALTER TABLE campaign_recipients ADD CONSTRAINT campaign_recipients_pkey
        PRIMARY KEY (account_id, campaign_id, contact_id)
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.position IS 'the order in which recipients are sent to, from 0'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.state IS 'pending: provably unsent; claimed: handed to a worker, the message row tells the rest; cancelled: never to be sent to'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.due_at IS 'when a recipient that was provably not sent to is tried again; null: at once'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.message_id IS 'the latest message made for it; kept while it is provably unsent'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.credit_returned IS 'whether the credit reserved for it was given back; the update that changes this decides that the credit moves once'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE campaign_recipients
    `);
  }
}
