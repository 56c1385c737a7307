import { IS_FOUND, needlesOf } from '../../contacts/contact-search.queries.js';
import { ListOrder } from '../../database/sql/list-order.js';
import { type MessageStatus, REACHED } from '../../messages/message-status.js';

/** The status of a recipient: that of its message, or cancelled. */
export type RecipientStatus = MessageStatus | 'cancelled';

export const RECIPIENT_STATUSES: readonly RecipientStatus[] = [
  'pending',
  'accepted',
  'sent',
  'delivered',
  'read',
  'clicked',
  'failed',
  'cancelled',
];

/** How far recipients got, as the counters of their campaign count them: each step includes the later ones. */
export const RECIPIENT_STEPS = ['sent', 'delivered', 'read', 'clicked', 'replied'] as const;
export type RecipientStep = (typeof RECIPIENT_STEPS)[number];

/** Other orders than that of sending. */
export const RECIPIENT_ORDERS = ['last_activity', 'name'] as const;
export type RecipientOrder = (typeof RECIPIENT_ORDERS)[number];

/** Selects recipients of a campaign; null means any. */
export interface RecipientFilter {
  readonly status: RecipientStatus | null;
  readonly reached: RecipientStep | null;
  /** Those that failed with this code. */
  readonly errorCode: number | null;
  /** A part of the contact's name, number or user id; blank: any. */
  readonly search: string | null;
  /** Null: sending order. */
  readonly order: RecipientOrder | null;
}

/**
 * The message of recipient `r`, looked up by its key; `$1` is the account and `$3` the oldest possible message. `OFFSET 0`
 * keeps the planner from joining in another way: where its statistics are older than an account, it takes the account for
 * empty, and would read all of its rows for each recipient.
 */
export const MESSAGE = `LEFT JOIN LATERAL (
       SELECT * FROM messages k WHERE k.account_id = $1 AND k.id = r.message_id AND k.id >= $3 OFFSET 0
     ) m ON true`;

/** The contact of recipient `r`, and `c`, which is shown: the one that it was merged into. Looked up in the same way. */
export const CONTACT = `CROSS JOIN LATERAL (SELECT * FROM contacts k WHERE k.account_id = $1 AND k.id = r.contact_id OFFSET 0) o
     CROSS JOIN LATERAL (
       SELECT * FROM contacts k WHERE k.account_id = $1 AND k.id = coalesce(o.merged_into, o.id) OFFSET 0
     ) c`;

/** A pending recipient may have a message from an earlier attempt, which is also pending. */
export const STATUS = `CASE r.state WHEN 'cancelled' THEN 'cancelled' ELSE coalesce(m.status, 'pending') END`;

/** Sending order. */
export const SENDING_ORDER = new ListOrder({ position: 'number' }, 'ASC');

/** The latest of the times that are shown of recipient `r` and its message; see `reachedTimes`. */
const LAST_ACTIVITY = `greatest(r.replied_at, CASE WHEN m.seen & ${REACHED.sent} <> 0 THEN greatest(m.created_at,
         coalesce(m.clicked_at, m.read_at, m.delivered_at, least(m.accepted_at, m.sent_at), m.failed_at)) END)`;

interface Sorting {
  readonly order: ListOrder;
  /** The sort keys that are no columns of the table. */
  readonly keys: string;
}

const SORTINGS: Readonly<Record<RecipientOrder | 'sending', Sorting>> = {
  sending: { order: SENDING_ORDER, keys: '' },
  // Those without any activity come last, and in sending order, as do those with the same time.
  last_activity: {
    order: new ListOrder({ last_activity: 'time', places_before: 'number' }),
    keys: `, coalesce(${LAST_ACTIVITY}, 'epoch') AS last_activity, 2147483647 - r.position AS places_before`,
  },
  // The shown name without case and accents. The collation is the same on every server, so that a walk can continue.
  name: {
    order: new ListOrder({ name_key: 'text', position: 'number' }, 'ASC'),
    keys: `, search_text(c.first_name || coalesce(' ' || nullif(c.last_name, ''), '')) COLLATE "C" AS name_key`,
  },
};

/** The parts of the statements that list and count the recipients of a filter. */
export class RecipientConditions {
  readonly order: ListOrder;
  /** The CTE that {@link found} needs; null without a search. */
  readonly needles: string | null;
  private readonly keys: string;
  private readonly ofState: readonly string[];
  private readonly ofMessage: readonly string[];

  /** @param place gives a value of the filter its place among the parameters, such as `$4` */
  constructor(
    private readonly filter: RecipientFilter,
    place: (value: unknown) => string,
  ) {
    const { status, reached, errorCode, search } = filter;
    ({ order: this.order, keys: this.keys } = SORTINGS[filter.order ?? 'sending']);
    const isReaction = reached === 'clicked' || reached === 'replied';
    this.ofState = isReaction ? [`r.${reached}`] : [];
    this.ofMessage = [
      ...(status === null ? [] : [`${STATUS} = ${place(status)}`]),
      ...(reached === null || isReaction ? [] : [`m.seen & ${REACHED[reached]} <> 0`]),
      ...(errorCode === null
        ? []
        : [`r.state = 'claimed' AND m.status = 'failed' AND m.error_code = ${place(errorCode)}::integer`]),
    ];
    this.needles = search === null || search.trim() === '' ? null : needlesOf(search, place(search));
  }

  /** All conditions but the search; `true` if there are none. */
  get chosen(): string {
    return [...this.ofState, ...this.ofMessage].join(' AND ') || 'true';
  }

  /** The recipients that the search finds. */
  get found(): string {
    return this.joined(false, false);
  }

  /** The same, with their messages if the conditions read them. */
  get foundWithMessages(): string {
    return this.joined(this.readsMessages, false);
  }

  /** The chosen ones of them, with their sort keys. */
  get sorted(): string {
    const { order } = this.filter;
    const isByName = order === 'name';
    return `SELECT r.contact_id, r.position, r.message_id, r.attempts, r.state, r.replied_at${this.keys}
       FROM ${this.joined(this.readsMessages || order === 'last_activity', isByName)} AND ${this.chosen}`;
  }

  private get readsMessages(): boolean {
    return this.ofMessage.length > 0;
  }

  private joined(withMessages: boolean, withContacts: boolean): string {
    const isSearch = this.needles !== null;
    return `campaign_recipients r ${withMessages ? MESSAGE : ''} ${withContacts || isSearch ? CONTACT : ''}
       WHERE r.account_id = $1 AND r.campaign_id = $2${isSearch ? ` AND ${IS_FOUND}` : ''}`;
  }
}
