import type { Database } from '../../database/unit-of-work.js';
import { mediaStatesOf } from '../../media/message-media.js';
import { isObject, type JsonObject } from '../../values/network-json.js';
import { areOneMessage } from '../../values/network-message-id.js';
import { idRange, type RecordId } from '../../values/record-id.js';
import { contextOf, type ReadMessage, readMessage } from '../inbound-kinds.js';
import { partsOf } from '../message-parts.js';
import { FROM_PHONE_APP } from '../message-status.js';
import { type RecordParts, type SentParts, type StoredLook, sentPartsOf, storedParts } from '../sent-parts.js';
import type { CampaignLooks, CampaignMessage } from './campaign-looks.js';
import type { MessageRow } from './message-history.queries.js';
import { reactionsTo, type ShownReaction } from './message-reactions.js';

/** A message as records show it. */
export type ShownMessage = Omit<MessageRow, 'payload' | 'sentTo' | 'isErased'> & {
  readonly parts: RecordParts;
  /** The latest first. */
  readonly reactions: readonly ShownReaction[];
};

/** A message with what the network delivered of it. */
interface DeliveredMessage {
  readonly row: MessageRow;
  readonly payload: JsonObject;
  readonly read: ReadMessage;
  /** The network's id of the message that it quotes or reacts to. */
  readonly names: string | null;
}

/**
 * Completes messages with their reactions and parts, which are read from what the network delivered, so that messages
 * stored by older releases have them too, or from what was stored when they were sent. Asks for files, other messages and
 * campaigns once for all messages, and only if one of them names some.
 */
export async function shownMessages(
  accountId: string,
  rows: readonly MessageRow[],
  looks: CampaignLooks,
  db: Database,
): Promise<ShownMessage[]> {
  const delivered = rows.flatMap((row) => deliveredOf(row) ?? []);
  const withFile = delivered.filter(({ read }) => read.contents.media !== undefined).map(({ row }) => row.id);
  const ofCampaigns = rows.flatMap((row) => campaignMessageOf(row) ?? []);
  const [files, ids, looked, reactions] = await Promise.all([
    mediaStatesOf(accountId, withFile, db),
    idsOfNamed(accountId, delivered, db),
    ofCampaigns.length === 0 ? NO_LOOKS : looks.of(accountId, ofCampaigns, db),
    reactionsTo(accountId, rows, db),
  ]);
  const byId = new Map(delivered.map((each) => [each.row.id, each]));
  return rows.map(({ payload: stored, sentTo: _, isErased, ...row }) => {
    const shown = { ...row, reactions: reactions.get(row.id) ?? [] };
    const own = byId.get(row.id);
    if (own === undefined) {
      const rendered = looked.get(row.id);
      const sent = rendered === undefined ? sentOf({ direction: row.direction, payload: stored }) : { rendered };
      return { ...shown, parts: { ...(sent && sentPartsOf(sent, row)), ...(!isErased && namingPart(row)) } };
    }
    const { read, payload, names } = own;
    const idOf = (name: string): RecordId | null => (name === names ? (ids.get(row.id) ?? null) : null);
    return {
      ...shown,
      // Older releases stored neither the inner type nor what most kinds say.
      messageType: row.messageType === 'interactive' ? read.messageType : row.messageType,
      content: row.content === '' ? read.content : row.content,
      parts: partsOf(payload, read, { messageId: row.id, media: files.get(row.id) ?? null, idOf }),
    };
  });
}

const NO_LOOKS: ReadonlyMap<RecordId, StoredLook> = new Map();

/** A message of a campaign whose look can be told; that of an erased person is gone. */
const campaignMessageOf = ({ id, campaignId, sentTo, createdAt, isErased }: MessageRow): CampaignMessage | null =>
  campaignId === null || isErased ? null : { id, campaignId, contactId: sentTo, createdAt };

/** What was stored of a message of ours when it was sent; null for what the network delivered. */
const sentOf = ({ direction, payload }: Pick<MessageRow, 'direction' | 'payload'>): SentParts | null =>
  direction === 'out' ? storedParts(payload) : null;

/** What a message that was sent with this API quotes or reacts to. */
function namingPart(row: Omit<MessageRow, 'payload' | 'sentTo' | 'isErased'>): RecordParts {
  const { direction, seen, revokedAt, messageType, contextMessageId, content } = row;
  if (direction === 'in' || (seen & FROM_PHONE_APP) !== 0 || revokedAt !== null || contextMessageId === null) return {};
  if (messageType !== 'reaction') return { reply_to: contextMessageId };
  return { reaction: { message_id: contextMessageId, emoji: content } };
}

function deliveredOf(row: MessageRow): DeliveredMessage | null {
  const { payload } = row;
  if (!isObject(payload) || sentOf(row) !== null) return null;
  const read = readMessage(payload);
  return { row, payload, read, names: read.contents.reaction?.names ?? contextOf(payload)?.names ?? null };
}

/**
 * Our ids of the messages that some messages name, by the id of the message that names one. A person may name a message
 * by another form of its id; its own row then says which one was found on arrival.
 */
async function idsOfNamed(
  accountId: string,
  delivered: readonly DeliveredMessage[],
  db: Database,
): Promise<ReadonlyMap<RecordId, RecordId>> {
  const naming = delivered.filter(({ names }) => names !== null);
  if (naming.length === 0) return new Map();
  const found = await db.rows<{ networkMessageId: string; messageId: RecordId }>(
    `SELECT network_message_id, message_id FROM network_messages
     WHERE account_id = $1 AND network_message_id = ANY ($2::text[])`,
    [accountId, naming.map(({ names }) => names)],
  );
  const known = new Map(found.map(({ networkMessageId, messageId }) => [networkMessageId, messageId]));
  const others = naming.filter(({ names, row }) => !known.has(names ?? '') && row.contextMessageId !== null);
  const answered = await networkIdsOf(
    accountId,
    others.flatMap(({ row }) => row.contextMessageId ?? []),
    db,
  );
  return new Map(
    naming.flatMap(({ row, names }): [RecordId, RecordId][] => {
      const id = known.get(names ?? '');
      if (id !== undefined) return [[row.id, id]];
      const answers = row.contextMessageId;
      return answers !== null && areOneMessage(names, answered.get(answers)) ? [[row.id, answers]] : [];
    }),
  );
}

async function networkIdsOf(
  accountId: string,
  ids: readonly RecordId[],
  db: Database,
): Promise<ReadonlyMap<RecordId, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: RecordId; networkMessageId: string | null }>(
    `SELECT id, network_message_id FROM messages
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND id >= $3 AND id <= $4`,
    [accountId, ids, ...idRange(ids)],
  );
  return new Map(rows.map(({ id, networkMessageId }) => [id, networkMessageId]));
}
