import type { Database } from '../../database/unit-of-work.js';

/** Condition: campaign `g` has ended with nobody left to send to. */
const HAS_ENDED_FOR_GOOD = `g.status IN ('completed', 'cancelled', 'failed')
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = g.account_id AND f.campaign_id = g.id AND f.lease_until IS NOT NULL)`;
/** A look: whether any one-time code may be settled. Each state by itself, so that the index of codes has the order. */
export const SETTLED_CODE = `SELECT coalesce(
       (SELECT true FROM campaign_recipients WHERE code IS NOT NULL AND state = 'claimed'
        ORDER BY account_id, campaign_id, position LIMIT 1),
       (SELECT true FROM campaign_recipients WHERE code IS NOT NULL AND state = 'cancelled'
        ORDER BY account_id, campaign_id, position LIMIT 1),
       (SELECT true FROM campaigns g WHERE g.code IS NOT NULL AND ${HAS_ENDED_FOR_GOOD}
        ORDER BY g.account_id, g.id LIMIT 1))`;

/**
 * Deletes the one-time codes of up to `limit` settled recipients: those that are cancelled, and those that were claimed
 * and whose batch has no lease any more, so that no worker will put them back. Skips locked rows. Pipeline statement, all
 * tenants.
 *
 * @returns how many
 */
export function deleteSettledCodes(limit: number, db: Database): Promise<number> {
  return db.affected(
    `WITH settled AS MATERIALIZED (
       SELECT r.account_id, r.campaign_id, r.contact_id FROM campaign_recipients r
       WHERE r.code IS NOT NULL AND r.state IN ('claimed', 'cancelled')
         AND NOT EXISTS (SELECT FROM sends_in_flight f
                         WHERE f.account_id = r.account_id AND f.campaign_id = r.campaign_id AND f.lease_until IS NOT NULL
                           AND r.message_id = ANY (f.message_ids))
       LIMIT $1
       FOR UPDATE OF r SKIP LOCKED
     )
     UPDATE campaign_recipients r SET code = NULL FROM settled s
     WHERE r.account_id = s.account_id AND r.campaign_id = s.campaign_id AND r.contact_id = s.contact_id`,
    [limit],
  );
}

/**
 * Deletes the shared one-time codes of campaigns that have ended with nobody left to send to. A campaign that stopped
 * keeps its code while it may be resumed. Pipeline statement, all tenants.
 */
export function deleteEndedCodes(db: Database): Promise<number> {
  return db.affected(
    `UPDATE campaigns g SET code = NULL
     WHERE g.code IS NOT NULL AND ${HAS_ENDED_FOR_GOOD}`,
  );
}
