import type { Database } from '../database/unit-of-work.js';

/** The id of the newest event of each account in the last two hours, or `none`, in the order of the list. */
export async function newestEvents(accountIds: readonly string[], db: Database): Promise<string[]> {
  const rows = await db.rows<{ readonly id: string }>(
    `SELECT coalesce(e.id::text, 'none') AS id
     FROM unnest($1::uuid[]) WITH ORDINALITY AS k (account_id, place)
     LEFT JOIN LATERAL (
       SELECT r.id FROM events r
       WHERE r.account_id = k.account_id AND r.id > record_id_bound(now() - interval '2 hours')
       ORDER BY r.id DESC LIMIT 1
     ) e ON true
     ORDER BY k.place`,
    [accountIds],
  );
  return rows.map(({ id }) => id);
}
