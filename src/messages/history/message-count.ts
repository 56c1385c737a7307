import type { Message } from '../message.entity.js';
import { MESSAGE_STATUSES } from '../reports/message-status.js';

/** What counters know about messages; null means any. */
export interface CountFilter {
  readonly direction: Message['direction'] | null;
  readonly status: Message['status'] | null;
}

/** The statuses with a counter. Pending messages are those in none of them. */
export const COUNTED_STATUSES: readonly string[] = [
  ...MESSAGE_STATUSES.filter((status) => status !== 'pending'),
  'received',
];

/**
 * How many messages with a direction and a status there are, according to the counters of a month. Inbound messages are
 * those with the status `received`.
 *
 * @param amounts by status; '' is all messages
 */
export function countOf(amounts: ReadonlyMap<string, number>, { direction, status }: CountFilter): number {
  const all = amounts.get('') ?? 0;
  const received = amounts.get('received') ?? 0;
  if (status === null) return direction === null ? all : direction === 'in' ? received : all - received;
  if (direction !== null && (direction === 'in') !== (status === 'received')) return 0;
  if (status !== 'pending') return amounts.get(status) ?? 0;
  return COUNTED_STATUSES.reduce((left, counted) => left - (amounts.get(counted) ?? 0), all);
}
