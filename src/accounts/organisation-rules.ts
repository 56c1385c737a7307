/** An organisation's settings, shared by all its accounts. */
export interface OrganisationSettings {
  /** Whether new inbound conversations are assigned round robin to the active agents. */
  readonly autoInbound: boolean;
  /** Sent once per service window to an unassigned conversation; null when off. */
  readonly autoReply: string | null;
  /** The agent who is assigned the conversation after the automatic reply, or null. */
  readonly autoReplyUserId: string | null;
  /** Upper case. A text that equals one of them, ignoring case, opts out. */
  readonly stopWords: readonly string[];
  /** Upper case. A text that equals one of them, ignoring case, opts in again. */
  readonly startWords: readonly string[];
}

/** Normalises a stop or start word for comparison. */
export const optWord = (word: string): string => word.trim().toUpperCase();

/** Applies a change. Turning the automatic reply off also clears its agent; words are normalised and deduplicated. */
export function changedSettings(
  current: OrganisationSettings,
  change: Partial<OrganisationSettings>,
): OrganisationSettings {
  const next = { ...current, ...change };
  return {
    ...next,
    autoReplyUserId: change.autoReply === null ? null : next.autoReplyUserId,
    stopWords: [...new Set(next.stopWords.map(optWord))],
    startWords: [...new Set(next.startWords.map(optWord))],
  };
}

/** The word that would both opt out and opt in, or undefined when there is none. */
export function contradictoryWord({ stopWords, startWords }: OrganisationSettings): string | undefined {
  return stopWords.find((word) => startWords.includes(word));
}
