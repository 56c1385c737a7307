import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what retried messages have counted to the counters of their campaigns, times `factor`. In `seen`, 1024 marks a
 * message as retried; the other numbers are the reports that prove that it was accepted, delivered or read. Every one of
 * them has failed at some time, so the index of failures leads to them.
 */
const counted = (factor: 1 | -1): string => `
  INSERT INTO counter_changes (account_id, counter, subject_id, amount)
  SELECT m.account_id, c.counter, m.campaign_id, ${factor} * count(*)
  FROM messages m
  CROSS JOIN LATERAL (VALUES ('campaign.sent', 127), ('campaign.delivered', 56), ('campaign.read', 48)) AS c (counter, proof)
  WHERE m.failed_at IS NOT NULL AND m.campaign_id IS NOT NULL AND (m.seen & 1024) <> 0 AND (m.seen & c.proof) <> 0
  GROUP BY m.account_id, c.counter, m.campaign_id
`;

/** A recipient who was retried counts once, by the latest message. So far each message counted. */
export class CountRetriedRecipientsOnce1790000000118 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(counted(-1));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(counted(1));
  }
}
