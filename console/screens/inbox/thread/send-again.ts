import { ONCE, parley } from '../../../data/api.js';
import { recipientOf, type ThreadKey } from '../thread-key.js';
import type { Again } from './resendable.js';

/**
 * Sends a message once more. Somebody who asks twice for the same, because the page has forgotten that they have,
 * sends it once.
 *
 * @param id of the message that failed
 */
export const sendOnceMore = async (key: ThreadKey, id: string, again: Again): Promise<void> =>
  void (await parley.messages.sendMessage(
    { ...again, ...recipientOf(key) },
    { idempotencyKey: `again-${id}`, ...ONCE },
  ));
