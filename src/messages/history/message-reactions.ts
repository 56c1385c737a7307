import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Database } from '../../database/unit-of-work.js';
import { HOUR } from '../../values/clock.js';
import { isObject } from '../../values/network-json.js';
import { areOneMessage } from '../../values/network-message-id.js';
import { type RecordId, timeOfRecordId } from '../../values/record-id.js';
import { readMessage } from '../inbound-kinds.js';
import type { Message } from '../message.entity.js';
import type { MessageRow } from './message-history.queries.js';

/** An emoji on a message. Each side has one at most. */
export interface ShownReaction {
  readonly emoji: string;
  readonly by: 'contact' | 'business';
  readonly at: Date;
}

type ReactionRow = Readonly<Pick<Message, 'direction' | 'content' | 'payload' | 'createdAt'>> & {
  readonly targetId: RecordId;
};

/** The latest reactions of each side to a message that are read; older releases noted some at the wrong message. */
const MAX_READ = 10;

/**
 * The reactions to messages, by message id. A reaction is a message of its own that names the one it is put on. It counts
 * until its sender takes it back, puts on another one, or it fails.
 */
export async function reactionsTo(
  accountId: string,
  targets: readonly MessageRow[],
  db: Database,
): Promise<ReadonlyMap<RecordId, readonly ShownReaction[]>> {
  const known = new Map(targets.filter(({ isErased }) => !isErased).map((target) => [target.id, target]));
  const reactions = new Map<RecordId, ShownReaction[]>();
  if (known.size === 0) return reactions;
  const decided = new Set<string>();
  for (const row of await findReactionsTo(accountId, [...known.keys()], db)) {
    const { targetId, direction, createdAt: at } = row;
    const side = `${direction} ${targetId}`;
    const { names, emoji } = readReaction(row);
    const isAnothers = names !== null && !areOneMessage(names, known.get(targetId)?.networkMessageId ?? null);
    if (isAnothers || decided.has(side)) continue;
    decided.add(side);
    if (emoji === '') continue;
    const shown: ShownReaction = { emoji, by: direction === 'in' ? 'contact' : 'business', at };
    reactions.set(targetId, [...(reactions.get(targetId) ?? []), shown]);
  }
  return reactions;
}

/** The latest first. A reaction is stored at the earliest with the time of what it is put on, in whole seconds. */
function findReactionsTo(accountId: string, targetIds: readonly RecordId[], db: Database): Promise<ReactionRow[]> {
  const oldest = targetIds.reduce((lowest, id) => (id < lowest ? id : lowest));
  return db.rows<ReactionRow>(
    `SELECT t.id AS target_id, r.direction, r.content, r.payload, r.created_at
     FROM unnest($2::uuid[]) AS t (id)
     CROSS JOIN unnest(ARRAY['in', 'out']) AS side (direction)
     CROSS JOIN LATERAL (
       SELECT m.id, m.direction, m.content, m.payload, m.created_at FROM messages m
       WHERE m.account_id = $1 AND m.message_type = 'reaction' AND m.context_message_id = t.id
         AND m.direction = side.direction AND m.id >= $3 AND m.revoked_at IS NULL AND m.status <> 'failed'
       ORDER BY m.id DESC LIMIT ${MAX_READ}
     ) r
     ORDER BY r.created_at DESC, r.id DESC`,
    [accountId, targetIds, lowestIdAt(new Date(timeOfRecordId(oldest).getTime() - HOUR))],
  );
}

/** What a reaction says, and the network's id of what it is put on; null in those that were sent with this API. */
function readReaction({ content, payload }: ReactionRow): { readonly names: string | null; readonly emoji: string } {
  const reaction = isObject(payload) ? readMessage(payload).contents.reaction : undefined;
  return { names: reaction?.names ?? null, emoji: content === '' ? (reaction?.emoji ?? '') : content };
}
