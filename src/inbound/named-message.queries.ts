import { CUSTOM_PLAN } from '../database/connections/preparing-client.js';
import { lowestIdAt } from '../database/schema/partitions.js';
import type { Database } from '../database/unit-of-work.js';
import type { Message } from '../messages/message.entity.js';
import { idsOfPerson } from '../people/merged-contact.queries.js';
import { DAY, HOUR } from '../values/clock.js';
import { readNetworkMessageId, tokenInBase64 } from '../values/network-message-id.js';
import type { OriginalMessage } from './inbound-event.js';

/** Columns of an {@link OriginalMessage}, of message `m` and its campaign `g`. */
export const ORIGINAL_COLUMNS = `m.id, m.direction, m.contact_id, m.campaign_id, g.name AS campaign_name, m.reference,
            coalesce(m.sent_at, m.accepted_at, m.created_at) AS sent_at`;

/** Where to look for a message that an inbound one names. */
export interface NamedIn {
  /** The contact who names it. */
  readonly contactId: string;
  /** The business phone on which the contact names it. */
  readonly businessPhoneId: string;
  /** Ours, or the contact's own; null: both. */
  readonly direction: Message['direction'] | null;
  /** When the contact names it. */
  readonly at: Date;
}

/** The most messages of a contact that are searched for a token. */
const MAX_SEARCHED = 1000;
/** How long after a message its contact may name it by another form of its id, milliseconds. */
const NAMED_WITHIN_MS = 30 * DAY;
/** How far the time in a message's id may be from its `created_at`, milliseconds: they come from two clocks. */
export const CLOCK_SLACK_MS = HOUR;

/**
 * Finds the message that an inbound one quotes, taps or reacts to, by the network's id of it. Ids are scoped to a number
 * or a user id, so the contact may name a message by another id than the one that we were given; both have the same token.
 *
 * @returns null as well when several messages have the token
 */
export async function findNamedMessage(
  accountId: string,
  networkMessageId: string,
  place: NamedIn,
  db: Database,
): Promise<OriginalMessage | null> {
  const named = await findByNetworkId(accountId, networkMessageId, place, db);
  const token = named === null ? readNetworkMessageId(networkMessageId)?.token : undefined;
  return token === undefined ? named : findByToken(accountId, { networkMessageId, token }, place, db);
}

/** A subquery looks up our own id first, so that only one partition is read. */
function findByNetworkId(
  accountId: string,
  networkMessageId: string,
  { contactId, direction }: NamedIn,
  db: Database,
): Promise<OriginalMessage | null> {
  return db.row<OriginalMessage>(
    `SELECT ${ORIGINAL_COLUMNS}
     FROM messages m
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
     WHERE m.account_id = $1 AND m.contact_id = ANY (${idsOfPerson('$2')})
       AND m.id = (SELECT n.message_id FROM network_messages n
                   WHERE n.account_id = $1 AND n.network_message_id = $3 AND ($4::boolean IS NULL OR n.outbound = $4))`,
    [accountId, contactId, networkMessageId, direction === null ? null : direction === 'out'],
  );
}

/** Searches the contact's latest messages, unless the id itself is known, then to be another message's. */
async function findByToken(
  accountId: string,
  { networkMessageId, token }: { readonly networkMessageId: string; readonly token: string },
  { contactId, businessPhoneId, direction, at }: NamedIn,
  db: Database,
): Promise<OriginalMessage | null> {
  const rows = await db.rows<OriginalMessage & Pick<Message, 'networkMessageId'>>(
    `${CUSTOM_PLAN}WITH latest AS MATERIALIZED (
       SELECT id, contact_id, direction, business_phone_id, campaign_id, reference, network_message_id, sent_at, accepted_at,
              created_at
       FROM messages
       WHERE account_id = $1 AND contact_id = $2 AND id >= $7::uuid AND id < $8::uuid
       ORDER BY id DESC LIMIT ${MAX_SEARCHED}
     )
     SELECT ${ORIGINAL_COLUMNS}, m.network_message_id
     FROM latest m
     LEFT JOIN campaigns g ON g.account_id = $1 AND g.id = m.campaign_id
     WHERE m.business_phone_id = $3 AND ($4::text IS NULL OR m.direction = $4) AND m.network_message_id LIKE ANY ($6::text[])
       AND NOT EXISTS (SELECT FROM network_messages n WHERE n.account_id = $1 AND n.network_message_id = $5)`,
    [
      accountId,
      contactId,
      businessPhoneId,
      direction,
      networkMessageId,
      tokenInBase64(token).map((part) => `%${part}%`),
      lowestIdAt(new Date(at.getTime() - NAMED_WITHIN_MS)),
      lowestIdAt(new Date(at.getTime() + CLOCK_SLACK_MS)),
    ],
  );
  const [named, ...others] = rows.filter((row) => readNetworkMessageId(row.networkMessageId ?? '')?.token === token);
  if (named === undefined || others.length > 0) return null;
  const { networkMessageId: _, ...original } = named;
  return original;
}
