/** What an organisation has set for all its accounts. */
export interface OrganisationSettings {
  /** Whether new inbound threads go round robin to the active agents. */
  readonly autoInbound: boolean;
  /** Sent once per window to an unassigned thread; null when off. */
  readonly autoReply: string | null;
  /** Who is then assigned the thread, if anybody. */
  readonly autoReplyUserId: string | null;
  /** Upper case; a text that is exactly one of them opts out, in any case. */
  readonly stopWords: readonly string[];
  /** Upper case; opts in again. */
  readonly startWords: readonly string[];
}

/** One form for words that are compared in any case. */
export const optWord = (word: string): string => word.trim().toUpperCase();

/**
 * The settings after a change: turning the automatic reply off also forgets its agent, and words take their stored form,
 * each once.
 */
export function changedSettings(
  present: OrganisationSettings,
  change: Partial<OrganisationSettings>,
): OrganisationSettings {
  const next = { ...present, ...change };
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
