import { badRequest } from '../errors/domain-error.js';
import type { ConversationOrder } from './conversation-filter.js';

/** The fields of a list of conversations that exclude each other. */
interface OrderedList {
  readonly order?: ConversationOrder;
  readonly has_inbound?: 'true' | 'false';
  readonly waiting?: 'true' | 'false';
}

/** @throws DomainError 400 for an order of what the filter leaves out */
export function checkOrder({ order, has_inbound, waiting }: OrderedList): void {
  if (order === 'last_inbound' && has_inbound === 'false') {
    throw badRequest('order=last_inbound and has_inbound=false exclude each other; send one of them');
  }
  if (order === 'longest_waiting' && (waiting === 'false' || has_inbound === 'false')) {
    const other = waiting === 'false' ? 'waiting' : 'has_inbound';
    throw badRequest(`order=longest_waiting and ${other}=false exclude each other; send one of them`);
  }
}
