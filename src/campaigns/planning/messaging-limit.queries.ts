import type { Tx } from '../../database/unit-of-work.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';

/** How much of its messaging limit a portfolio has used. */
export interface LimitUse {
  /**
   * People reached by templates outside a service window in the last 24 hours, plus admitted recipients still to be
   * sent.
   */
  readonly people: number;
  /**
   * When the person was last reached who, 24 hours later, makes room for another one; null: that person has not been
   * reached yet.
   */
  readonly nextAt: Date | null;
}

/** Locks admission for the portfolio until the transaction ends; false when another transaction holds the lock. */
export async function lockPortfolio(accountId: string, portfolioId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked', [
    `portfolio ${portfolioId} of ${accountId}`,
  ]);
  return row?.locked === true;
}

/** The phones of portfolio $2. */
const PHONES = `phone AS MATERIALIZED (
       SELECT p.id FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
       WHERE p.account_id = $1 AND coalesce(b.portfolio_id, b.waba_id) = $2
     )`;

/**
 * People reached in the last 24 hours, for {@link LimitUse}. A message counts unless the network is known not to have
 * accepted it. $3 is the lowest message id of the last 24 hours, $4 that of the last 48 hours.
 */
const REACHED = `reached AS MATERIALIZED (
       SELECT m.contact_id, max(m.created_at) AS last_at
       FROM messages m
       WHERE m.account_id = $1 AND m.id >= $3 AND m.direction = 'out' AND m.message_type = 'template'
         AND m.created_at > now() - interval '24 hours'
         AND m.business_phone_id IN (SELECT id FROM phone)
         AND (m.status <> 'failed' OR m.accepted_at IS NOT NULL OR m.sent_at IS NOT NULL
              OR m.error_code = ${MESSAGE_ERRORS.outcomeUnknown.code})
         AND NOT EXISTS (SELECT FROM messages i
                         WHERE i.account_id = $1 AND i.contact_id = m.contact_id AND i.id >= $4 AND i.id < m.id
                           AND i.direction = 'in' AND i.business_phone_id = m.business_phone_id
                           AND i.created_at > m.created_at - interval '24 hours')
       GROUP BY m.contact_id
     )`;

/** @param campaignId its own admitted recipients are not counted */
export async function readLimitUse(
  accountId: string,
  { portfolioId, messagingLimit }: { readonly portfolioId: string; readonly messagingLimit: number },
  campaignId: string,
  [dayAgo, twoDaysAgo]: readonly [string, string],
  tx: Tx,
): Promise<LimitUse> {
  const row = await tx.row<LimitUse>(
    `WITH ${PHONES}, ${REACHED}, admitted AS (
       SELECT count(DISTINCT r.contact_id) AS people
       FROM campaigns g JOIN campaign_recipients r ON r.account_id = g.account_id AND r.campaign_id = g.id
       WHERE g.account_id = $1 AND g.id <> $5 AND g.status = 'running' AND g.business_phone_id IN (SELECT id FROM phone)
         AND r.state = 'pending' AND r.admitted AND r.message_id IS NULL
         AND NOT EXISTS (SELECT FROM reached WHERE reached.contact_id = r.contact_id)
     ), used AS (
       SELECT (SELECT count(*) FROM reached) + (SELECT people FROM admitted) AS people
     )
     SELECT people::integer,
            (SELECT last_at FROM reached ORDER BY last_at OFFSET greatest(used.people - $6, 0) LIMIT 1) AS next_at
     FROM used`,
    [accountId, portfolioId, dayAgo, twoDaysAgo, campaignId, messagingLimit],
  );
  return row ?? { people: 0, nextAt: null };
}

/**
 * Contacts of a campaign who do not count toward the limit again: they were reached in the last 24 hours, or have an
 * open service window with its phone.
 */
export async function findExemptContacts(
  accountId: string,
  portfolioId: string,
  campaign: { readonly id: string; readonly businessPhoneId: string },
  [dayAgo, twoDaysAgo]: readonly [string, string],
  tx: Tx,
): Promise<Set<string>> {
  const rows = await tx.rows<{ contactId: string }>(
    `WITH ${PHONES}, ${REACHED}
     SELECT r.contact_id FROM campaign_recipients r
     LEFT JOIN conversations t ON t.account_id = $1 AND t.contact_id = r.contact_id AND t.business_phone_id = $6
     WHERE r.account_id = $1 AND r.campaign_id = $5 AND r.state = 'pending'
       AND (t.last_inbound_at > now() - interval '24 hours'
            OR EXISTS (SELECT FROM reached WHERE reached.contact_id = r.contact_id))`,
    [accountId, portfolioId, dayAgo, twoDaysAgo, campaign.id, campaign.businessPhoneId],
  );
  return new Set(rows.map(({ contactId }) => contactId));
}
