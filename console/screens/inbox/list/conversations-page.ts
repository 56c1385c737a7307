import type { Conversation } from '../records.js';

/** A page of the list. */
export interface ConversationsPage {
  readonly rows: readonly Conversation[];
  /** Of the whole list; where the service stops counting, there may be more. */
  readonly total: number;
}
