import type { Conversation } from '../records.js';

/** Names the newest message of somebody who has not been answered; null when there is none. */
export function newestOf(
  conversation: Pick<Conversation, 'window_expires_at' | 'waiting_since' | 'last_message_direction'>,
): string | null {
  const { window_expires_at, waiting_since, last_message_direction } = conversation;
  return waiting_since !== null || last_message_direction === 'in' ? window_expires_at : null;
}
