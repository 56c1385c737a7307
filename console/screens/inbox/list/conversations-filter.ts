import type { InboxOrder } from '../../../data/inbox-order.js';

/** The views of the inbox, in the order of their links. */
export const VIEWS = ['mine', 'unassigned', 'all', 'resolved'] as const;
export type View = (typeof VIEWS)[number];

/** Which conversations are listed. */
export interface ConversationsFilter {
  readonly view: View;
  /** Null for any. */
  readonly search: string | null;
  /** The record’s id of a business phone; null for all. */
  readonly phone: string | null;
  readonly order: InboxOrder;
}

/** Characters of a search that the API takes. */
export const MAX_SEARCH = 256;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The filter of an address; what it has besides means nothing.
 *
 * @param order as somebody prefers it. Nobody waits in resolved conversations, and who is searched for need not wait.
 */
export function filterOf(query: URLSearchParams, order: InboxOrder): ConversationsFilter {
  const phone = query.get('waba_phone_id') ?? '';
  const view = VIEWS.find((one) => one === query.get('view')) ?? 'mine';
  const search = query.get('search')?.trim().slice(0, MAX_SEARCH) || null;
  return {
    view,
    search,
    phone: UUID.test(phone) ? phone.toLowerCase() : null,
    order: isOrdered({ view, search }) ? order : 'last_inbound',
  };
}

/** Whether a list has the order that somebody prefers. */
export const isOrdered = ({ view, search }: Pick<ConversationsFilter, 'view' | 'search'>): boolean =>
  view !== 'resolved' && search === null;

/** The views that together have everybody beside a view; `holdsAll` if one has all of that view too. */
export function elsewhereOf(filter: ConversationsFilter): (ConversationsFilter & { readonly holdsAll: boolean })[] {
  const others = (['all', 'resolved'] as const).filter((view) => view !== filter.view);
  return others.map((view) => ({ ...filter, view, holdsAll: view === 'all' && filter.view !== 'resolved' }));
}

/** The query of the API for a list. Only people who have written are in it. */
export function queryOf({ view, search, phone, order }: ConversationsFilter, me: string) {
  return {
    has_inbound: 'true' as const,
    status: view === 'resolved' ? ('resolved' as const) : ('open' as const),
    ...(view === 'mine' && { assigned_to: me }),
    ...(view === 'unassigned' && { unassigned: 'true' as const }),
    ...(search !== null && { search }),
    ...(phone !== null && { waba_phone_id: phone }),
    order,
  };
}

/** The topic that tells of the beginning of a list; null for lists of which the stream tells nothing. */
export function topicOf({ view, search, phone, order }: ConversationsFilter): string | null {
  if (search !== null) return null;
  return `inbox:${view}?order=${order}${phone === null ? '' : `&waba_phone_id=${phone}`}`;
}
