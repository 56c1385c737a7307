import { parley } from '../../../data/api.js';
import { session } from '../../../data/session.js';
import { type ConversationsFilter, queryOf } from './conversations-filter.js';
import type { ConversationsPage } from './conversations-page.js';
import { PAGE_SIZE } from './page-size.js';

const me = (): string => session.peek()?.user.user_id ?? '';

/** @param page from 0 */
export async function readConversations(
  filter: ConversationsFilter,
  page: number,
  signal: AbortSignal,
): Promise<ConversationsPage> {
  const query = { ...queryOf(filter, me()), page: page + 1, limit: PAGE_SIZE };
  const { conversations, total } = await parley.conversations.list(query, { signal });
  return { rows: conversations, total };
}

/** How many conversations a list has. */
export async function countConversations(filter: ConversationsFilter, signal: AbortSignal): Promise<number> {
  return (await parley.conversations.list({ ...queryOf(filter, me()), limit: 1 }, { signal })).total;
}

/** Whether any contact has ever written. */
export const hasAny = async (signal: AbortSignal): Promise<boolean> =>
  (await parley.conversations.list({ has_inbound: 'true', order: 'last_inbound', limit: 1 }, { signal })).total > 0;
