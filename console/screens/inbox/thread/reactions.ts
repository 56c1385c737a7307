import { ONCE, parley } from '../../../data/api.js';
import { failureOf, isUnanswered } from '../../../data/failure.js';
import { serverNow } from '../../../data/live.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import type { Message } from '../records.js';
import { recipientOf, type ThreadKey } from '../thread-key.js';
import type { ThreadTimeline } from './thread-timeline.js';

/** What WhatsApp offers first. */
export const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

/** Puts an emoji on a message, or takes it back with an empty one; shown at once, and taken back if it is refused. */
export async function react(key: ThreadKey, timeline: ThreadTimeline, message: Message, emoji: string): Promise<void> {
  const { message_id, reactions } = message;
  const others = reactions.filter(({ by }) => by !== 'business');
  const mine = { emoji, by: 'business', at: serverNow().toISOString() } as const;
  timeline.note(message_id, null);
  timeline.patch(message_id, { reactions: emoji === '' ? others : [mine, ...others] });
  try {
    await parley.messages.sendMessage(
      { ...recipientOf(key), message_type: 'reaction', reaction: { message_id, emoji } },
      ONCE,
    );
  } catch (error) {
    const isUnknown = isUnanswered(error);
    if (!isUnknown) timeline.patch(message_id, { reactions });
    timeline.note(message_id, isUnknown ? inboxWorkWords.outcome.unknown : failureOf(error).text);
  }
}
