import type { Database } from '../database/unit-of-work.js';

/** What the navigation shows of an account to a person. */
export interface Badges {
  /** Conversations whose contact waits for an answer, up to {@link MAX_COUNTED}. */
  readonly waiting: number;
  /** Those of them that the person has. */
  readonly mineWaiting: number;
  /** Endpoints that deliveries fail to reach, and those that were disabled for that. */
  readonly failingEndpoints: number;
}

/** Beyond this, nobody counts. */
export const MAX_COUNTED = 1000;

/** The badges of many people, each in an account, with one statement; in the order of the lists. */
export function countBadges(
  accountIds: readonly string[],
  userIds: readonly string[],
  db: Database,
): Promise<Badges[]> {
  return db.rows<Badges>(
    `SELECT w.waiting, w.mine_waiting, e.failing_endpoints
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS k (account_id, user_id, place)
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS waiting, (count(*) FILTER (WHERE t.assigned_to = k.user_id))::integer AS mine_waiting
       FROM (
         SELECT c.assigned_to FROM conversations c
         WHERE c.account_id = k.account_id AND c.waiting_since IS NOT NULL ORDER BY c.waiting_since LIMIT ${MAX_COUNTED}
       ) t
     ) w
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS failing_endpoints FROM webhook_endpoints h
       WHERE h.account_id = k.account_id AND h.deleted_at IS NULL
         AND (h.failing_since IS NOT NULL OR h.status = 'disabled' AND h.disabled_reason <> 'disabled by request')
     ) e
     ORDER BY k.place`,
    [accountIds, userIds],
  );
}
