import type { Database } from '../../database/unit-of-work.js';
import type { Campaign } from '../campaign.entity.js';

/** How long a campaign waits for a phone that the network keeps failing, hours. */
export const MAX_WAIT_HOURS = 24;

const MAX_WAIT = `interval '${MAX_WAIT_HOURS} hours'`;
/** A campaign that was started or resumed later has a day of its own. */
const WAITED_TOO_LONG = `phone_waits w
     JOIN campaigns g ON g.account_id = w.account_id AND g.business_phone_id = w.business_phone_id
     WHERE g.status = 'running' AND NOT g.paused
       AND w.since < now() - ${MAX_WAIT} AND coalesce(g.judged_from, g.started_at) < now() - ${MAX_WAIT}`;
/** A look: whether a running campaign has waited too long for its phone. */
export const LONG_WAIT = `SELECT true FROM ${WAITED_TOO_LONG} ORDER BY g.account_id, g.id LIMIT 1`;

/** Running campaigns that have waited too long for their phone, with its latest failure. Pipeline statement, all tenants. */
export function findLongWaits(
  db: Database,
): Promise<(Pick<Campaign, 'accountId' | 'id' | 'runs'> & { readonly detail: string })[]> {
  return db.rows(`SELECT g.account_id, g.id, g.runs, w.detail FROM ${WAITED_TOO_LONG}`);
}
