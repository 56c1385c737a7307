import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was stored about restrictions before, in the new form; `b` is the row of the business account. */
const FORMER = (b: string): string => `(
  SELECT coalesce(jsonb_object_agg(type, jsonb_build_object(
           'isInForce', in_force, 'until', floor(extract(epoch FROM until)), 'detail', NULL,
           'toldAt', floor(extract(epoch FROM told_at)))), '{}')
  FROM (VALUES
    ('DISABLE', ${b}.ban IS NOT NULL AND ${b}.ban <> 'the business account was deleted on the network',
     NULL::timestamptz, ${b}.ban_told_at),
    ('ACCOUNT_DELETED', ${b}.ban IS NOT DISTINCT FROM 'the business account was deleted on the network', NULL, ${b}.ban_told_at),
    ('RESTRICTED_BIZ_INITIATED_MESSAGING', coalesce(${b}.restriction LIKE '%RESTRICTED_BIZ_INITIATED_MESSAGING%', false),
     ${b}.restriction_expires_at, ${b}.restriction_told_at),
    ('RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
     coalesce(${b}.restriction LIKE '%RESTRICTED_CUSTOMER_INITIATED_MESSAGING%', false),
     ${b}.restriction_expires_at, ${b}.restriction_told_at)
  ) AS former (type, in_force, until, told_at)
  WHERE told_at IS NOT NULL)`;

/** Stores each restriction of a business account apart, with the time of its own news. */
export class TellRestrictionsApart1790000000096 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts ADD COLUMN restrictions jsonb NOT NULL DEFAULT '{}'
    `);
    await runner.query(`
      COMMENT ON COLUMN business_accounts.restrictions IS 'by type of restriction: whether it is in force, until, and when the network said so'
    `);
    await runner.query(`UPDATE business_accounts b SET restrictions = ${FORMER('b')}`);
    // Processes of the release before write the former columns, and only those.
    await runner.query(`
      CREATE FUNCTION follow_former_restrictions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.restrictions := NEW.restrictions || (
          SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(${FORMER('NEW')})
          WHERE ((NEW.restrictions -> key ->> 'toldAt')::bigint > (value ->> 'toldAt')::bigint) IS NOT TRUE);
        RETURN NEW;
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER business_accounts_restricted BEFORE UPDATE OF ban_told_at, restriction_told_at ON business_accounts
        FOR EACH ROW
        WHEN ((OLD.ban, OLD.ban_told_at, OLD.restriction, OLD.restriction_told_at, OLD.restriction_expires_at)
              IS DISTINCT FROM
              (NEW.ban, NEW.ban_told_at, NEW.restriction, NEW.restriction_told_at, NEW.restriction_expires_at))
        EXECUTE FUNCTION follow_former_restrictions()
    `);
    await runner.query(`
      ALTER TABLE campaigns
        ADD COLUMN waiting_reason text
          CONSTRAINT campaigns_waiting_reason_check
          CHECK (waiting_reason IN ('phone', 'network', 'restriction', 'send_window', 'messaging_limit')),
        ADD COLUMN known_restrictions jsonb,
        DROP CONSTRAINT campaigns_max_failure_percent_check,
        ADD CONSTRAINT campaigns_max_failure_percent_check CHECK (max_failure_percent BETWEEN 0 AND 100)
    `);
    await runner.query(`
      ALTER TABLE campaign_recipients ADD COLUMN held boolean NOT NULL DEFAULT false
    `);
    await runner.query(`
      COMMENT ON COLUMN campaign_recipients.held IS 'while pending: due_at is not the time of a retry but of a window, the messaging limit or the end of a restriction'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.waiting_reason IS 'what those wait for whom waiting_until is about; null: nobody waits'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.known_restrictions IS 'the restrictions that it was opened under: others open it anew'
    `);
    await runner.query(`
      COMMENT ON COLUMN campaigns.max_failure_percent IS 'it pauses itself when more of the last 100 answered recipients failed; null or 0: never'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN campaigns.max_failure_percent IS 'it pauses itself when more of the last 100 answered recipients failed; null: never'
    `);
    await runner.query('UPDATE campaigns SET max_failure_percent = NULL WHERE max_failure_percent = 0');
    await runner.query(`
      ALTER TABLE campaigns
        DROP COLUMN waiting_reason, DROP COLUMN known_restrictions,
        DROP CONSTRAINT campaigns_max_failure_percent_check,
        ADD CONSTRAINT campaigns_max_failure_percent_check CHECK (max_failure_percent BETWEEN 1 AND 100)
    `);
    await runner.query('ALTER TABLE campaign_recipients DROP COLUMN held');
    await runner.query('DROP TRIGGER business_accounts_restricted ON business_accounts');
    await runner.query('DROP FUNCTION follow_former_restrictions');
    await runner.query('ALTER TABLE business_accounts DROP COLUMN restrictions');
  }
}
