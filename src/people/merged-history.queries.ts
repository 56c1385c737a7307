import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { moveRecipients } from './merged-recipients.queries.js';

/** Messages that move in one transaction, so that nobody waits long for it. */
const SLICE = 1000;

/** A history that moves from a merged contact to the one that is left. */
export interface MovingHistory {
  readonly keptId: RecordId;
  readonly goneId: RecordId;
  /** Messages with this id and higher ones have moved; null: none has. */
  readonly below: RecordId | null;
}

/**
 * Moves the next slice of a history, the newest messages first, and whatever campaigns that have not ended need of it.
 * The messages of a recipient that does not move stay too: a message's contact and campaign are the key of its recipient.
 *
 * @returns where to continue; null when there is no more
 */
export async function moveMessages(accountId: string, history: MovingHistory, tx: Tx): Promise<RecordId | null> {
  const { keptId, goneId } = history;
  const { ids, campaignIds, below } = await lockMessages(accountId, history, tx);
  const { staying, messageIds } = await moveRecipients(accountId, { keptId, goneId, campaignIds }, tx);
  // A recipient may have been claimed since the messages were locked.
  const moving = [...new Set([...ids, ...messageIds])];
  if (moving.length > 0) {
    await tx.affected(
      `UPDATE messages SET contact_id = $2
       WHERE account_id = $1 AND contact_id = $3 AND id = ANY ($4::uuid[])
         AND (campaign_id IS NULL OR campaign_id <> ALL ($5::uuid[]))`,
      [accountId, keptId, goneId, moving, staying],
    );
  }
  return below;
}

interface LockedSlice {
  readonly ids: RecordId[];
  /** The campaigns of the messages, and all that have not ended. */
  readonly campaignIds: RecordId[];
  readonly below: RecordId | null;
}

/**
 * Locks the next messages in id order. Status reports in flight have locked their messages first and may still need the
 * recipients; later ones wait.
 */
async function lockMessages(accountId: string, { goneId, below }: MovingHistory, tx: Tx): Promise<LockedSlice> {
  const rows = await tx.rows<{
    id: RecordId | null;
    campaignId: RecordId | null;
    isNext: boolean;
    unfinished: RecordId[] | null;
  }>(
    `WITH unfinished AS MATERIALIZED (
       SELECT id FROM campaigns WHERE account_id = $1 AND status NOT IN ('completed', 'cancelled')
     ), next AS MATERIALIZED (
       SELECT id FROM messages
       WHERE account_id = $1 AND contact_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT ${SLICE}
     ), named AS MATERIALIZED (
       SELECT r.message_id AS id FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.contact_id = $2 AND r.message_id IS NOT NULL
         AND r.campaign_id = ANY (ARRAY(SELECT id FROM unfinished))
     ), locked AS MATERIALIZED (
       SELECT m.id, m.campaign_id, m.id = ANY (ARRAY(SELECT id FROM next)) AS is_next FROM messages m
       WHERE m.account_id = $1 AND m.contact_id = $2
         AND m.id = ANY (ARRAY(SELECT id FROM next UNION SELECT id FROM named))
       ORDER BY m.id FOR UPDATE
     )
     SELECT l.id, l.campaign_id, l.is_next,
            CASE row_number() OVER (ORDER BY l.id) WHEN 1 THEN u.ids END AS unfinished
     FROM (SELECT ARRAY(SELECT id FROM unfinished) AS ids) u LEFT JOIN locked l ON true
     ORDER BY l.id`,
    [accountId, goneId, below],
  );
  const ids = rows.flatMap(({ id }) => id ?? []);
  const next = rows.flatMap(({ id, isNext }) => (isNext ? (id ?? []) : []));
  const campaigns = rows.flatMap(({ campaignId }) => campaignId ?? []);
  return {
    ids,
    campaignIds: [...new Set([...campaigns, ...(rows[0]?.unfinished ?? [])])],
    below: next.length < SLICE ? null : (next[0] ?? null),
  };
}
