import type { Database } from '../../database/unit-of-work.js';
import type { Campaign } from '../campaign.entity.js';
import type { CampaignCounts } from '../campaign-counts.queries.js';
import { WAIT } from '../campaign-list.queries.js';

/** What changes of a campaign while somebody watches it. */
export type LiveCampaignRow = Readonly<
  Pick<
    Campaign,
    | 'accountId'
    | 'id'
    | 'name'
    | 'status'
    | 'paused'
    | 'failureReason'
    | 'totalContacts'
    | 'scheduledAt'
    | 'startedAt'
    | 'completedAt'
    | 'waitingReason'
    | 'waitingUntil'
  >
> &
  CampaignCounts;

/** The campaigns of one account whose list is watched. */
export const MAX_LISTED = 20;

const amount = (counter: string): string =>
  `coalesce(sum(c.amount) FILTER (WHERE c.counter = 'campaign.${counter}'), 0)::integer AS ${counter}`;
const COUNTERS = ['sent', 'delivered', 'read', 'clicked', 'failed', 'replied', 'held'];
const STATE = `g.account_id, g.id, g.name, g.status, g.paused, g.failure_reason, g.total_contacts, g.scheduled_at,
            g.started_at, g.completed_at, ${WAIT}, n.*`;
const JOINED = `LEFT JOIN phone_waits w ON w.account_id = g.account_id AND w.business_phone_id = g.business_phone_id
     CROSS JOIN LATERAL (
       SELECT ${COUNTERS.map(amount).join(', ')} FROM counter_amounts c
       WHERE c.account_id = g.account_id AND c.subject_id = g.id
         AND c.counter IN (${COUNTERS.map((counter) => `'campaign.${counter}'`).join(', ')})
     ) n`;

/** Campaigns of many accounts, with one statement. Each is looked up in its own account. */
export function findLiveCampaigns(
  accountIds: readonly string[],
  ids: readonly string[],
  db: Database,
): Promise<LiveCampaignRow[]> {
  return db.rows<LiveCampaignRow>(
    `SELECT ${STATE}
     FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
     JOIN campaigns g ON g.account_id = k.account_id AND g.id = k.id
     ${JOINED}`,
    [accountIds, ids],
  );
}

/** The running campaigns of many accounts, the newest of each, with one statement. */
export function findRunningCampaigns(accountIds: readonly string[], db: Database): Promise<LiveCampaignRow[]> {
  return db.rows<LiveCampaignRow>(
    `SELECT ${STATE}
     FROM unnest($1::uuid[]) AS k (account_id)
     CROSS JOIN LATERAL (
       SELECT * FROM campaigns r WHERE r.account_id = k.account_id AND r.status = 'running' ORDER BY r.id DESC LIMIT ${MAX_LISTED}
     ) g
     ${JOINED}
     ORDER BY g.id DESC`,
    [accountIds],
  );
}
