import { lowestIdAt } from '../../database/schema/partitions.js';
import { NEWEST_ID_FIRST } from '../../database/sql/list-order.js';
import { cappedTotal, countUpToMax, cutRows, type Positioned } from '../../database/sql/page-sql.js';
import type { Database } from '../../database/unit-of-work.js';
import { idsOfPerson } from '../../people/merged-contact.queries.js';
import { isNamed } from '../../people/person-keys.js';
import { HOUR } from '../../values/clock.js';
import { MAX_TOTAL, type Page, type Paged } from '../../values/page.js';
import { NIL_ID, type RecordId, timeOfRecordId } from '../../values/record-id.js';
import type { Message } from '../message.entity.js';

/** A message with its contact and campaign, as records need it. */
export interface MessageRow
  extends Readonly<
    Pick<
      Message,
      | 'id'
      | 'direction'
      | 'contactId'
      | 'businessPhoneId'
      | 'messageType'
      | 'content'
      | 'templateName'
      | 'campaignId'
      | 'status'
      | 'seen'
      | 'networkMessageId'
      | 'errorCode'
      | 'errorMessage'
      | 'pricing'
      | 'createdAt'
      | 'acceptedAt'
      | 'sentAt'
      | 'deliveredAt'
      | 'readAt'
      | 'clickedAt'
      | 'failedAt'
      | 'contextMessageId'
      | 'payload'
      | 'editedAt'
      | 'revokedAt'
      | 'agentUserId'
      | 'byPerson'
      | 'reference'
    >
  > {
  /** Of the agent who wrote it. */
  readonly agentName: string | null;
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly campaignName: string | null;
  /** The contact that the message was stored for, which may have been merged into the one that is shown. */
  readonly sentTo: RecordId;
  readonly isErased: boolean;
}

/** Finds a message's account by probing each account: operators name a message by its id alone. */
export async function findAccountOfMessage(id: RecordId, db: Database): Promise<string | null> {
  const row = await db.row<{ accountId: string }>(
    `SELECT a.id AS account_id FROM accounts a
     WHERE EXISTS (SELECT FROM messages m WHERE m.account_id = a.id AND m.id = $1)`,
    [id],
  );
  return row?.accountId ?? null;
}

/** Filters of a list of messages; null means any. */
export interface MessageFilter {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly campaignId: string | null;
  readonly direction: Message['direction'] | null;
  readonly status: Message['status'] | null;
  readonly businessPhoneId: string | null;
  readonly templateName: string | null;
  /** Whether reactions are left out: they are shown with the message that they are put on. */
  readonly withoutReactions: boolean;
  /** Inclusive. */
  readonly since: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
}

/** The filter that all messages match. */
export const ANY_MESSAGE: MessageFilter = {
  contactPhone: null,
  contactUserId: null,
  campaignId: null,
  direction: null,
  status: null,
  businessPhoneId: null,
  templateName: null,
  withoutReactions: false,
  since: null,
  until: null,
};

/** A column of message `m` that may hold personal data; it is hidden as soon as the person is erased. */
const unlessErased = (column: string, instead: string): string =>
  `CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.${column} ELSE ${instead} END AS ${column}`;

const COLUMNS = `m.id, m.direction, c.id AS contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
            c.first_name, c.last_name, m.business_phone_id, m.message_type, ${unlessErased('content', "''")}, m.template_name,
            m.campaign_id, g.name AS campaign_name, m.status, m.seen, ${unlessErased('network_message_id', 'NULL')},
            m.error_code, ${unlessErased('error_message', 'NULL')}, m.pricing, m.created_at,
            m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at, m.context_message_id,
            ${unlessErased('payload', 'NULL')}, m.edited_at, m.revoked_at, o.id AS sent_to,
            coalesce(c.erased_at, o.erased_at) IS NOT NULL AS is_erased, m.agent_user_id, m.by_person, a.full_name AS agent_name,
            ${unlessErased('reference', 'NULL')}`;
/** What filters without an index compare. */
const COMPARED = 'm.direction, m.status, m.business_phone_id, m.message_type';
/**
 * The messages of a page, looked up one after the other. A message's contact `o` may have been merged into the one that is
 * shown, `c`. `OFFSET 0` keeps the planner from joining them in another order: where its statistics are older than an
 * account, or than a contact's many messages, it takes them for empty, and would read all of them for each row of the page.
 */
const OF_PAGE = `page
       CROSS JOIN LATERAL (SELECT * FROM messages r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) m
       CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = m.contact_id OFFSET 0) o
       CROSS JOIN LATERAL (
         SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = coalesce(o.merged_into, o.id) OFFSET 0
       ) c
       LEFT JOIN LATERAL (SELECT name FROM campaigns r WHERE r.account_id = $1 AND r.id = m.campaign_id OFFSET 0) g ON true
       LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = m.agent_user_id OFFSET 0) a ON true`;

export function findMessage(accountId: string, messageId: string, db: Database): Promise<MessageRow | null> {
  return db.row<MessageRow>(`SELECT ${COLUMNS} FROM (SELECT $2::uuid AS id) ${OF_PAGE}`, [accountId, messageId]);
}

/** Finds messages by their ids, in no order. */
export function findMessages(accountId: string, ids: readonly RecordId[], db: Database): Promise<MessageRow[]> {
  return db.rows<MessageRow>(`SELECT ${COLUMNS} FROM (SELECT unnest($2::uuid[]) AS id) ${OF_PAGE}`, [accountId, ids]);
}

/** The most messages that a page or a count compares with a filter that no index has. */
const MAX_LOOKED_AT = 2 * MAX_TOTAL;

/**
 * One page of messages, newest first: ids sort by creation time, and each partition has an index in that order. A status
 * that every report changes is in no index, and hardly any message may have it. So a page looks only so far into the log:
 * in a walk it may hold fewer messages than asked for, even none, and the next one goes on where it stopped; by number,
 * each page looks further than the one before.
 */
export async function listMessages(
  accountId: string,
  filter: MessageFilter,
  page: Page,
  db: Database,
): Promise<Paged<MessageRow>> {
  const conditions = conditionsOf(accountId, filter, await contactIdsOf(accountId, filter, db));
  const { others, parameters } = conditions;
  const isWalk = page.cursor !== undefined;
  const [total, rows] = await Promise.all([
    totalOf(conditions, db),
    db.rows<Positioned<MessageRow> & { readonly lookedUntil: string | null }>(
      `WITH ${pageOf(conditions, isWalk)}
       SELECT ${COLUMNS}, ${NEWEST_ID_FIRST.position('m')}, (SELECT id FROM looked_until) AS looked_until
       FROM (SELECT) one
       LEFT JOIN (${OF_PAGE}) ON true
       ${NEWEST_ID_FIRST.by('m')}`,
      [
        ...parameters,
        ...NEWEST_ID_FIRST.parameters(page),
        ...(others.length > 0 ? [MAX_LOOKED_AT * (isWalk ? 1 : page.page)] : []),
      ],
    ),
  ]);
  const lookedUntil = rows[0]?.lookedUntil ?? null;
  const cut = cutRows(
    // An empty page comes back as one row of nulls.
    rows.filter(({ id }) => id !== null),
    page,
  );
  return { ...cut, ...(cut.next === null && lookedUntil !== null && { next: [lookedUntil] }), ...total };
}

/**
 * The CTEs `page`, the ids of a page, and `looked_until`, the last message that a page of a walk was looked for among,
 * if that was not all. Its parameters: limit, start, and unless all conditions have an index, how many to look at.
 */
function pageOf(conditions: Conditions, isWalk: boolean): string {
  const { others, parameters } = conditions;
  const [limit, start, reach] = [1, 2, 3].map((place) => `$${parameters.length + place}`) as [string, string, string];
  const order = NEWEST_ID_FIRST.by('m');
  const behind = isWalk ? NEWEST_ID_FIRST.behind(start, 'm') : '';
  const rows = isWalk ? `LIMIT ${limit}` : `LIMIT ${limit} OFFSET ${start}`;
  if (others.length === 0) {
    const log = logOf(conditions, behind, isWalk ? limit : `${limit}::bigint + ${start}::bigint`);
    return `page AS MATERIALIZED (SELECT m.id FROM ${log} ${rows}), looked_until AS (SELECT NULL::uuid AS id)`;
  }
  const log = logOf(conditions, behind, reach);
  return `page AS MATERIALIZED (
       SELECT m.id FROM (SELECT m.id, ${COMPARED} FROM ${log} LIMIT ${reach}) m
       WHERE ${others.join(' AND ')} ${order} ${rows}
     ), looked_until AS (
       SELECT m.id FROM ${log}
       LIMIT (SELECT CASE WHEN ${isWalk} AND count(*) < ${limit} THEN 1 ELSE 0 END FROM page) OFFSET ${reach} - 1
     )`;
}

/**
 * The messages to look among, newest first. Those of several contacts of a person are read for each contact in the order
 * of ids, and no more than are needed, instead of sorting them all.
 *
 * @param bound how many are needed, as SQL
 */
function logOf({ indexed, contacts }: Conditions, behind: string, bound: string | number): string {
  const order = NEWEST_ID_FIRST.by('m');
  const own = (contact: readonly string[]): string =>
    `messages m WHERE ${[...indexed, ...contact].join(' AND ')} ${behind} ${order}`;
  if (contacts.length < 2) return own(contacts);
  const each = contacts.map((contact) => `(SELECT m.id, ${COMPARED} FROM ${own([contact])} LIMIT ${bound})`);
  return `(${each.join(' UNION ALL ')}) m ${order}`;
}

/** Counts the matches, up to a maximum; without an index for the filter, only among the newest messages. */
async function totalOf(conditions: Conditions, db: Database): Promise<Pick<Paged<never>, 'total' | 'totalIsCapped'>> {
  const { indexed, contacts, others, parameters } = conditions;
  if (others.length === 0) {
    const ofContact = contacts.length === 0 ? [] : [`(${contacts.join(' OR ')})`];
    const matching = `FROM messages m WHERE ${[...indexed, ...ofContact].join(' AND ')}`;
    const count = await db.row<{ found: number }>(countUpToMax(matching), parameters);
    return cappedTotal(count?.found ?? 0);
  }
  const count = await db.row<{ found: number; lookedAt: number }>(
    `SELECT count(*) FILTER (WHERE ${others.join(' AND ')})::integer AS found, count(*)::integer AS looked_at
     FROM (SELECT ${COMPARED} FROM ${logOf(conditions, '', MAX_LOOKED_AT)} LIMIT ${MAX_LOOKED_AT}) m`,
    parameters,
  );
  const { found = 0, lookedAt = 0 } = count ?? {};
  const capped = cappedTotal(found);
  return lookedAt < MAX_LOOKED_AT ? capped : { ...capped, totalIsCapped: true };
}

/** Conditions of a list: those with an index, and all others, which each row is compared with. */
interface Conditions {
  /** One for each contact that a message may have; none: any. */
  readonly contacts: string[];
  readonly indexed: string[];
  readonly others: string[];
  readonly parameters: unknown[];
}

/**
 * Includes only the conditions in use, so that each combination gets its own plan. Direction and status are literal, so
 * that partial indexes serve them.
 */
function conditionsOf(accountId: string, filter: MessageFilter, contactIds: readonly RecordId[] | null): Conditions {
  const parameters: unknown[] = [accountId];
  const [indexed, others] = [['m.account_id = $1'], [] as string[]];
  const add = (conditions: string[], condition: (place: string) => string, value: unknown): void => {
    if (value !== null) conditions.push(condition(`$${parameters.push(value)}`));
  };
  const contacts = (contactIds ?? []).map((id) => `m.contact_id = $${parameters.push(id)}`);
  add(indexed, (place) => `m.campaign_id = ${place}`, filter.campaignId);
  add(indexed, (place) => `m.id >= ${place}`, filter.campaignId === null ? null : oldestMessageOf(filter.campaignId));
  add(indexed, (place) => `m.template_name = ${place}`, filter.templateName);
  add(indexed, (place) => `m.id >= ${place}`, filter.since && lowestIdAt(filter.since));
  add(indexed, (place) => `m.id < ${place}`, filter.until && lowestIdAt(filter.until));
  add(others, (place) => `m.business_phone_id = ${place}`, filter.businessPhoneId);
  const { direction, status, withoutReactions } = filter;
  if (withoutReactions) others.push("m.message_type <> 'reaction'");
  if (direction !== null) (direction === 'in' ? indexed : others).push(`m.direction = '${direction}'`);
  const narrow = status === null ? undefined : FEW[status];
  if (narrow !== undefined) indexed.push(narrow);
  // Inbound messages have no other status, and without comparing it the count stays within the index.
  if (status !== null && status !== 'received')
    (narrow === undefined ? others : indexed).push(`m.status = '${status}'`);
  return { contacts, indexed, others, parameters };
}

/**
 * The contact that a filter names, and those that were merged into it: messages may still have their ids.
 *
 * @returns null when the filter names none; an unknown contact has an id that no message has
 */
async function contactIdsOf(
  accountId: string,
  { contactPhone, contactUserId }: MessageFilter,
  db: Database,
): Promise<RecordId[] | null> {
  if (contactPhone === null && contactUserId === null) return null;
  const parameters: unknown[] = [accountId];
  const byNumber = contactPhone === null ? [] : [isNamed('c', 'phone_number', `$${parameters.push(contactPhone)}`)];
  const byUserId = contactUserId === null ? [] : [isNamed('c', 'user_id', `$${parameters.push(contactUserId)}`)];
  const row = await db.row<{ ids: RecordId[] }>(
    `SELECT ${idsOfPerson('c.id')} AS ids FROM contacts c
     WHERE c.account_id = $1 AND ${[...byNumber, ...byUserId].join(' AND ')}`,
    parameters,
  );
  return row?.ids ?? [NIL_ID];
}

/** What else is true of messages with a status that few have; partial indexes find them. */
const FEW: Readonly<Partial<Record<Message['status'], string>>> = {
  received: "m.direction = 'in'",
  failed: 'm.failed_at IS NOT NULL',
  clicked: 'm.clicked_at IS NOT NULL',
};

/** A campaign's messages are newer than the campaign; the hour allows for clock skew between processes. */
export const oldestMessageOf = (campaignId: string): string =>
  lowestIdAt(new Date(timeOfRecordId(campaignId).getTime() - HOUR));
