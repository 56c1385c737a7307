import { useComputed, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { accountId } from '../../data/account.js';
import { parley } from '../../data/api.js';
import { serverNow, useTopic } from '../../data/live.js';
import { useQuery } from '../../data/query.js';
import { keptIn } from './kept-in-thread.js';
import type { OpenThread } from './open-thread.js';
import type { Conversation, Entry } from './records.js';
import type { ThreadKey } from './thread-key.js';

/** What the stream tells of a thread: its record, and the newest of its entries, newest first. */
export interface LiveThread {
  readonly conversation: Conversation;
  readonly entries: readonly Entry[];
}

/** The ids of people who hide their number have capital letters; those of records never have. */
export const threadTopic = ({ contact, phone }: ThreadKey): string => `thread:${contact}:${phone.toLowerCase()}`;

/** Reads the record of a thread and keeps it up to date while it is open. Use it under a key of the thread. */
export function useOpenThread(key: ThreadKey): OpenThread {
  // What was heard is newer than an answer that was asked for before: times are numbers in their order.
  const [time, askedAt] = [useRef(0), useRef(0)];
  const result = useQuery(['conversation', accountId.value ?? '', key.contact, key.phone], async (signal) => {
    const at = ++time.current;
    const query = { waba_phone_id: key.phone };
    const { conversation: record } = await parley.conversations.get(key.contact, query, { signal });
    askedAt.current = at;
    return record;
  });
  const heard = useSignal<{ at: number; conversation: Partial<Conversation> } | null>(null);
  const hear = (conversation: Partial<Conversation>): void => {
    heard.value = { at: ++time.current, conversation };
  };
  useTopic<LiveThread>(threadTopic(key), (live) => hear(live.conversation));
  const conversation = useComputed(() => {
    const { data } = result.value;
    const isNewer = heard.value !== null && heard.value.at > askedAt.current;
    return isNewer && data !== undefined ? { ...data, ...heard.value?.conversation } : data;
  });
  const error = useComputed(() => result.value.error);
  const kept = useMemo(() => {
    const { quoted, pending } = keptIn(accountId.peek(), key);
    // What the service has answered since is in the timeline.
    pending.value = pending.peek().filter(({ recordId }) => recordId === null);
    return { quoted, pending };
  }, []);
  const wantsToWrite = useSignal<OpenThread['wantsToWrite']['value']>({ count: 0, kind: 'message' });
  return {
    key,
    conversation,
    error,
    reload: () => result.peek().refetch(),
    take: (change) => hear({ ...conversation.peek(), ...change }),
    wantsToWrite,
    ...kept,
  };
}

/** Until when one may write freely; null when the window is closed. */
export function windowEnd({ window_expires_at }: Pick<Conversation, 'window_expires_at'>): Date | null {
  const end = window_expires_at === null ? null : new Date(window_expires_at);
  return end !== null && end > serverNow() ? end : null;
}
