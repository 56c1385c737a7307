import { lowestIdAt } from '../database/schema/partitions.js';
import type { Database } from '../database/unit-of-work.js';
import { REPORTED, SEEN } from '../messages/message-status.js';
import type { SilenceLook } from './silence-look.entity.js';

/** A message that the network accepted and never reported. */
export interface SilentMessage {
  readonly accountId: string;
  readonly messageId: string;
}

/** The network's answers that accept a message. */
const ACCEPTED = SEEN.accepted | SEEN.held;

/** How far each look has come. */
export const readLooks = (db: Database): Promise<SilenceLook[]> =>
  db.rows<SilenceLook>('SELECT after_days, looked_until FROM silence_looks ORDER BY after_days');

/** Notes that messages from before `until` were looked at; never goes back. */
export async function moveLook(afterDays: number, until: Date, db: Database): Promise<void> {
  await db.affected('UPDATE silence_looks SET looked_until = $2 WHERE after_days = $1 AND looked_until < $2', [
    afterDays,
    until,
  ]);
}

/**
 * Messages with ids of a stretch of time that the network accepted before `acceptedBefore` and has reported nothing about.
 * No index knows the reports, so it reads what each account has sent in the stretch, by primary key and in the one or two
 * partitions of its ids: `OFFSET 0` keeps the planner from scanning all messages instead. Pipeline statement, all tenants.
 *
 * @param without accounts to leave out
 */
export function findSilentMessages(
  { from, until }: { readonly from: Date; readonly until: Date },
  acceptedBefore: Date,
  without: readonly string[],
  limit: number,
  db: Database,
): Promise<SilentMessage[]> {
  return db.rows<SilentMessage>(
    `SELECT m.account_id, m.id AS message_id
     FROM accounts a CROSS JOIN LATERAL (
       SELECT k.account_id, k.id FROM messages k
       WHERE k.account_id = a.id AND k.id >= $1 AND k.id < $2 AND k.direction = 'out'
         AND k.accepted_at <= $3 AND k.seen & $4 <> 0 AND k.seen & $5 = 0
       OFFSET 0
     ) m
     WHERE a.id <> ALL ($6::uuid[])
     LIMIT $7`,
    [lowestIdAt(from), lowestIdAt(until), acceptedBefore, ACCEPTED, REPORTED | SEEN.silent, without, limit],
  );
}
