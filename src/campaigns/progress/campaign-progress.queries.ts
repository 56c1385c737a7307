import type { Database } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { REACHED } from '../../messages/message-status.js';
import type { Campaign } from '../campaign.entity.js';

/** Intervals of a chart at most. */
const MAX_BUCKETS = 120;
/** How long an interval may be, seconds; beyond a day it is a number of days. */
const WIDTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400] as const;

/** What the network accepted of a campaign, by intervals of the same length without gaps. */
export interface Progress {
  readonly bucketSeconds: number;
  /** The earliest first. */
  readonly buckets: readonly { readonly at: Date; readonly accepted: number }[];
}

/**
 * When the network accepted message `m`: when it answered, or else when the first report came that implies it. Null for
 * one that it did not accept.
 */
export const ACCEPTED_AT = `CASE WHEN m.seen & ${REACHED.sent} <> 0 THEN
         coalesce(m.accepted_at, least(m.sent_at, m.delivered_at, m.read_at, m.clicked_at), m.failed_at) END`;

/**
 * Counts the accepted messages of a campaign by intervals, the shortest of which {@link MAX_BUCKETS} reach from the first
 * acceptance to the last one, or to now while it runs. Intervals are counted from 1970, so that each begins at a whole
 * multiple of its length.
 */
export async function progressOf(
  accountId: string,
  { id, status }: Pick<Campaign, 'id' | 'status'>,
  db: Database,
): Promise<Progress> {
  const buckets = await db.rows<{ at: Date; accepted: number; width: number }>(
    `WITH message AS MATERIALIZED (
       SELECT floor(extract(epoch FROM ${ACCEPTED_AT}))::bigint AS second
       FROM messages m WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.id >= $3
     ), span AS MATERIALIZED (
       SELECT min(second) AS first,
              greatest(max(second), CASE WHEN $4::boolean THEN floor(extract(epoch FROM now()))::bigint END) AS last
       FROM message HAVING min(second) IS NOT NULL
     ), chosen AS MATERIALIZED (
       SELECT min(w.width) AS width
       FROM span s CROSS JOIN LATERAL (
         SELECT unnest(ARRAY[${WIDTHS.join(', ')}]::bigint[]) AS width
         UNION ALL
         SELECT 86400 * generate_series(2, 2 + (s.last - s.first) / (86400 * ${MAX_BUCKETS - 1}))
       ) w
       WHERE s.last / w.width - s.first / w.width < ${MAX_BUCKETS}
     ), counted AS (
       SELECT m.second / c.width AS number, count(*) AS accepted
       FROM message m CROSS JOIN chosen c WHERE m.second IS NOT NULL GROUP BY 1
     )
     SELECT to_timestamp(b.number * c.width) AS at, coalesce(n.accepted, 0)::integer AS accepted, c.width::integer AS width
     FROM chosen c
     CROSS JOIN span s
     CROSS JOIN LATERAL generate_series(s.first / c.width, s.last / c.width) AS b (number)
     LEFT JOIN counted n ON n.number = b.number
     ORDER BY b.number`,
    [accountId, id, oldestMessageOf(id), status === 'running'],
  );
  return { bucketSeconds: buckets[0]?.width ?? WIDTHS[0], buckets };
}
