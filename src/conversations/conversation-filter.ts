import { matchedContacts } from '../contacts/contact-search.queries.js';
import { ListOrder } from '../database/sql/list-order.js';
import { survivorOfId } from '../people/merged-contact.queries.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from './conversation-state.js';

/** Selects the conversations of a list; null means any. */
export interface ConversationFilter {
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  /** True for unassigned, false for assigned. */
  readonly unassigned: boolean | null;
  /** Whether the contact has ever written. */
  readonly hasInbound?: boolean | null;
  /** Whether the contact waits for an answer. */
  readonly waiting?: boolean | null;
  /** A part of the contact's name, number or user id; empty: any. */
  readonly search?: string | null;
  readonly businessPhoneId?: RecordId | null;
  /** A campaign that was sent in the conversation. */
  readonly campaignId?: RecordId | null;
  readonly contactId?: RecordId | null;
  readonly order: ConversationOrder;
}

/**
 * `active`: most recently active first. `created`: by contact, the newest first, so that nothing moves. `last_inbound` and
 * `longest_waiting` leave out conversations in which nobody has written, or nobody waits.
 */
export const CONVERSATION_ORDERS = ['active', 'created', 'last_inbound', 'longest_waiting'] as const;
export type ConversationOrder = (typeof CONVERSATION_ORDERS)[number];

export const ORDERS: Readonly<Record<ConversationOrder, ListOrder>> = {
  active: new ListOrder({ active_at: 'time', contact_id: 'id', business_phone_id: 'id' }),
  // The primary key. An index on the time would be one more to write with every message.
  created: new ListOrder({ contact_id: 'id', business_phone_id: 'id' }),
  last_inbound: new ListOrder({ last_inbound_at: 'time', contact_id: 'id', business_phone_id: 'id' }),
  longest_waiting: new ListOrder({ waiting_since: 'time', contact_id: 'id', business_phone_id: 'id' }, 'ASC'),
};

/** Whether a counter has the number of matching conversations. */
export const isCounted = (filter: ConversationFilter): boolean =>
  (filter.order === 'active' || filter.order === 'created') &&
  (filter.hasInbound ?? null) === null &&
  (filter.waiting ?? null) === null &&
  !isSearch(filter) &&
  (filter.businessPhoneId ?? null) === null &&
  (filter.campaignId ?? null) === null &&
  (filter.contactId ?? null) === null;

const isSearch = ({ search }: ConversationFilter): boolean => (search ?? '').trim() !== '';

/** The subject under which the counters count unassigned conversations. */
const NOBODY = `'${NIL_ID}'`;
const [WRITTEN, WAITING] = ['t.last_inbound_at IS NOT NULL', 't.waiting_since IS NOT NULL'];
const [HELD, UNHELD] = ['t.assigned_to IS NOT NULL', 't.assigned_to IS NULL'];

/**
 * The conditions of a list on conversations `t`. What has few values is literal instead of a parameter, so that each kind
 * of list gets its own plan.
 */
export class ConversationConditions {
  /** The place of the assignee's id. */
  readonly assignee: string | null;
  /** All but status and assignee. */
  readonly others: readonly string[];
  /** CTEs of which the last, `chosen`, has all matches; null unless the filter has a search, a campaign or a contact. */
  readonly collected: string | null;

  /** @param parameters get the values of the filter; `$1` is the account */
  constructor(
    private readonly filter: ConversationFilter,
    parameters: unknown[],
  ) {
    const place = (value: unknown): string => `$${parameters.push(value)}`;
    const { assignedTo, businessPhoneId, order } = filter;
    this.assignee = assignedTo === null ? null : place(assignedTo);
    const hasInbound = order === 'last_inbound' ? true : filter.hasInbound;
    const waiting = order === 'longest_waiting' ? true : filter.waiting;
    this.others = [
      ...(hasInbound === true ? [WRITTEN] : []),
      ...(hasInbound === false ? ['t.last_inbound_at IS NULL'] : []),
      ...(waiting === true ? [WAITING] : []),
      ...(waiting === false ? ['t.waiting_since IS NULL'] : []),
      ...(businessPhoneId ? [`t.business_phone_id = ${place(businessPhoneId)}::uuid`] : []),
    ];
    this.collected = this.collect(place);
  }

  /** Whether only conversations match that the indexes of inboxes have. */
  get isWritten(): boolean {
    return this.others.includes(WRITTEN) || this.others.includes(WAITING);
  }

  get all(): string {
    const { status } = this.filter;
    return [
      't.account_id = $1',
      ...(status === null ? [] : [`t.status = '${status}'`]),
      ...this.chosenHolders,
      ...this.others,
    ].join(' AND ');
  }

  /** At most one condition: who holds the conversation. */
  get chosenHolders(): string[] {
    const { unassigned } = this.filter;
    const held = unassigned === null ? [] : [unassigned ? UNHELD : HELD];
    const own = this.assignee === null ? [] : [`t.assigned_to = ${this.assignee}::uuid`];
    return [...own, ...held];
  }

  private collect(place: (value: unknown) => string): string | null {
    const { search, campaignId, contactId } = this.filter;
    const text = isSearch(this.filter) ? (search ?? '') : null;
    if (text === null && !campaignId && !contactId) return null;
    const ctes = [
      ...(text === null ? [] : [matchedContacts(text, place(text), 'identifying')]),
      ...(campaignId ? [recipients(campaignId, place)] : []),
      ...(contactId ? [`person AS MATERIALIZED (SELECT ${survivorOfId(place(contactId))} AS id)`] : []),
    ];
    const people = [
      ...(text === null ? [] : ['SELECT id FROM matched']),
      ...(campaignId ? ['SELECT id FROM recipient'] : []),
      ...(contactId ? ['SELECT id FROM person'] : []),
    ];
    const phone = campaignId ? 'AND t.business_phone_id = (SELECT business_phone_id FROM sent LIMIT 1)' : '';
    return `${ctes.join(', ')}, chosen AS MATERIALIZED (
       SELECT t.contact_id, t.business_phone_id, t.active_at, t.last_inbound_at, t.waiting_since
       FROM (${people.join(' INTERSECT ')}) one
       CROSS JOIN LATERAL (SELECT * FROM conversations r WHERE r.account_id = $1 AND r.contact_id = one.id OFFSET 0) t
       WHERE ${this.all} ${phone}
     )`;
  }
}

/** The contacts that got messages of a campaign. */
function recipients(campaignId: RecordId, place: (value: unknown) => string): string {
  const id = place(campaignId);
  return `sent AS MATERIALIZED (
       SELECT id, business_phone_id FROM campaigns WHERE account_id = $1 AND id = ${id}::uuid
     ), recipient AS MATERIALIZED (
       SELECT DISTINCT coalesce(c.merged_into, c.id) AS id
       FROM campaign_recipients r
       CROSS JOIN LATERAL (SELECT * FROM contacts c WHERE c.account_id = $1 AND c.id = r.contact_id OFFSET 0) c
       WHERE r.account_id = $1 AND r.campaign_id = ${id}::uuid AND r.message_id IS NOT NULL
     )`;
}

const statusesOf = ({ status }: ConversationFilter): readonly ConversationStatus[] =>
  status === null ? CONVERSATION_STATUSES : [status];

/** Selects the counters whose sum is the number of matching conversations. */
export function countersOf(filter: ConversationFilter, { assignee }: ConversationConditions): string {
  const { unassigned } = filter;
  const counters = statusesOf(filter).map((status) => `'conversations.${status}'`);
  return [
    `n.counter IN (${counters.join(', ')})`,
    ...(assignee === null ? [] : [`n.subject_id = ${assignee}::uuid`]),
    ...(unassigned === null ? [] : [`n.subject_id ${unassigned ? '=' : '<>'} ${NOBODY}`]),
  ].join(' AND ');
}

/**
 * Splits the matching conversations, so that one index gives the order of each part: by status, and in the order of
 * activity of all conversations also by assigned or not. The primary key gives the order of creation for all of them.
 */
export function partsOf(filter: ConversationFilter, conditions: ConversationConditions): string[] {
  const { order } = filter;
  const columns = [...new Set(['contact_id', 'business_phone_id', ...ORDERS[order].columns])].join(', ');
  const part = (...own: string[]): string =>
    `SELECT ${columns} FROM conversations t
          WHERE ${['t.account_id = $1', ...own, ...conditions.others].join(' AND ')}`;
  const { chosenHolders } = conditions;
  const ofStatus = filter.status === null ? [] : [`t.status = '${filter.status}'`];
  if (order === 'created' || order === 'longest_waiting') return [part(...ofStatus, ...chosenHolders)];
  // Who waits has written, so the index of all who have can give the order; it is no use for counting those who wait.
  const written = conditions.isWritten ? [WRITTEN] : [];
  const split = chosenHolders.length > 0 || conditions.isWritten ? [chosenHolders] : [[UNHELD], [HELD]];
  return statusesOf(filter).flatMap((status) =>
    split.map((holders) => part(`t.status = '${status}'`, ...holders, ...written)),
  );
}
