/** Topics of one stream. */
export const MAX_TOPICS = 10;
/** Keeps a stream open where no part needs one: it still tells when the session ends or the version changes. */
const ALWAYS = 'badges';

interface Tab {
  readonly topics: readonly string[];
  readonly heardAt: number;
}

/** What the visible tabs of a browser show: which topics one stream has to carry for all of them. */
export class ShownTopics {
  private readonly tabs = new Map<string, Tab>();
  /** Those that the service refused, and those that it has sent. */
  private readonly refused = new Set<string>();
  private readonly known = new Set<string>();

  /**
   * @param now a time in milliseconds
   * @returns the topics that the tab did not show before
   */
  show(tab: string, topics: readonly string[], now: number): string[] {
    const before = this.tabs.get(tab)?.topics ?? [];
    this.tabs.set(tab, { topics, heardAt: now });
    this.forget();
    return topics.filter((topic) => !before.includes(topic));
  }

  hide(tab: string): void {
    this.tabs.delete(tab);
    this.forget();
  }

  /** Leaves out the tabs that nobody has heard of since a time: those that crashed can’t say that they close. */
  dropSilent(since: number): void {
    for (const [tab, { heardAt }] of this.tabs) if (heardAt < since) this.tabs.delete(tab);
    this.forget();
  }

  /** How many tabs are visible. */
  get count(): number {
    return this.tabs.size;
  }

  /** Whether a tab beside this one is visible. */
  hasOther(tab: string): boolean {
    return [...this.tabs.keys()].some((one) => one !== tab);
  }

  /** What the stream should carry, in an order that stays the same. */
  wanted(): string[] {
    const topics = this.all().filter((topic) => !this.refused.has(topic));
    return (topics.length === 0 ? [ALWAYS] : topics.slice(0, MAX_TOPICS)).sort();
  }

  /** Notes that the service has sent a topic. */
  sent(topic: string): void {
    this.known.add(topic);
  }

  /**
   * Leaves out a topic because the service refused them all together: the last of those it never sent. One that can’t be
   * watched must not cost the others their stream.
   *
   * @returns whether there was one
   */
  refuse(): boolean {
    const suspect = this.all()
      .filter((topic) => !this.known.has(topic) && !this.refused.has(topic))
      .slice(0, MAX_TOPICS)
      .at(-1);
    if (suspect !== undefined) this.refused.add(suspect);
    return suspect !== undefined;
  }

  private all(): string[] {
    return [...new Set([...this.tabs.values()].flatMap(({ topics }) => topics))];
  }

  /** Once nobody shows a topic, it may be asked for again. */
  private forget(): void {
    const all = this.all();
    for (const topic of this.refused) if (!all.includes(topic)) this.refused.delete(topic);
  }
}

/** The topic of an event: of events about one record, the topic names it. */
export function topicOf(event: string, data: unknown): string {
  const topic = (data as { topic?: unknown } | null)?.topic;
  if (typeof topic === 'string') return topic;
  const id = (data as { campaign_id?: unknown } | null)?.campaign_id;
  return event === 'campaign' && typeof id === 'string' ? `campaign:${id}` : event;
}
