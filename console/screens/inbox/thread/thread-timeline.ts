import { batch, type Signal, signal } from '@preact/signals';
import type { TimelineResponse } from '../../../../clients/typescript/src/generated/schema.js';
import type { Entry } from '../records.js';
import {
  behindLast,
  entriesOf,
  keyOf,
  messagesAfter,
  PAGE_SIZE,
  reachesBeginning,
  reachesEnd,
  type Stretch,
  type TimelinePage,
  withChanges,
  withNewer,
  withNewest,
  withOlder,
} from './stretch.js';

/** Where a page of the timeline is. */
export type Place = { readonly before: string } | { readonly after: string } | { readonly around: string };

/** Reads from the service. */
export interface TimelineReader {
  readonly page: (place: Place) => Promise<TimelinePage>;
  /** Reads the newest page again, which is then received. */
  readonly newest: () => Promise<unknown>;
}

/** Which way a page is read. */
type Side = 'older' | 'newer';

/** A page that has grown so long at its end is read again, shorter. */
const MAX_GROWN = 3 * PAGE_SIZE;

export const pageOf = ({ entries, next_before, next_after }: TimelineResponse): TimelinePage => ({
  entries: entries.toReversed(),
  before: next_before,
  after: next_after,
});

/** The part of a thread’s timeline that is shown, and how it moves along the thread. */
export class ThreadTimeline {
  /** Null until the newest page was read. */
  readonly stretch: Signal<Stretch | null> = signal(null);
  /** Whether the end is shown and stays shown when something comes. */
  readonly isAtEnd = signal(true);
  readonly newMessages = signal(0);
  readonly loading: Signal<Side | null> = signal(null);
  readonly failure: Signal<{ readonly side: Side; readonly error: unknown } | null> = signal(null);
  /** The entry that somebody wants to see; `count` goes up with each wish. */
  readonly target = signal<{ readonly key: string; readonly count: number } | null>(null);
  /** What could not be done, by message. */
  readonly problems = signal<ReadonlyMap<string, string>>(new Map());
  /** The newest that was heard of, the oldest first. */
  private heard: readonly Entry[] = [];
  /** The newest entry when the end was last shown. */
  private seen = '';
  /** Whether there is more behind the last page although no cursor leads there. */
  private isBehind = false;

  constructor(private readonly reader: TimelineReader) {}

  /** Whether everything up to the newest entry is held. */
  get isComplete(): boolean {
    return this.stretch.value !== null && reachesEnd(this.stretch.value) && !this.isBehind;
  }

  get isWhole(): boolean {
    return this.stretch.value !== null && reachesBeginning(this.stretch.value);
  }

  /** Takes the newest page, as it was read. */
  receive(page: TimelinePage): void {
    const held = this.stretch.peek();
    const isTooLong = (held?.at(-1)?.entries.length ?? 0) > MAX_GROWN && this.isAtEnd.peek();
    if (held === null || isTooLong) this.begin(page);
    else if (!this.merge(page.entries) && this.isAtEnd.peek()) this.begin(page);
  }

  /** Takes the newest entries, as the stream tells them. */
  hear(newest: readonly Entry[]): void {
    // What it leads to is only known from a page that was read.
    if (this.stretch.peek() === null) return;
    if (!this.merge(newest) && this.isAtEnd.peek()) void this.reader.newest();
  }

  private begin(page: TimelinePage): void {
    batch(() => {
      this.heard = page.entries;
      this.isBehind = false;
      this.stretch.value = [page];
      this.noteSeen();
    });
  }

  /** @returns false when there are entries between what is held and what was heard */
  private merge(newest: readonly Entry[]): boolean {
    const held = this.stretch.peek() ?? [];
    this.heard = newest;
    const merged = withNewest(held, newest);
    batch(() => {
      if (merged === null) this.isBehind = true;
      else {
        this.stretch.value = merged;
        if (reachesEnd(merged)) this.isBehind = false;
      }
      this.noteSeen();
    });
    return merged !== null;
  }

  /** The end came into sight, or left it. */
  showsEnd(isAtEnd: boolean): void {
    batch(() => {
      this.isAtEnd.value = isAtEnd && this.isComplete;
      this.noteSeen();
    });
  }

  private noteSeen(): void {
    const last = this.heard.at(-1);
    if (this.isAtEnd.peek()) {
      this.seen = last === undefined ? '' : keyOf(last);
      this.newMessages.value = 0;
    } else this.newMessages.value = messagesAfter(this.heard, this.seen);
  }

  loadOlder(): Promise<void> {
    const { before = null } = this.stretch.peek()?.[0] ?? {};
    return before === null ? Promise.resolve() : this.load('older', { before }, withOlder);
  }

  loadNewer(): Promise<void> {
    const held = this.stretch.peek() ?? [];
    const { after = null } = held.at(-1) ?? {};
    if (after !== null) return this.load('newer', { after }, withNewer);
    const last = entriesOf(held).findLast(({ message }) => message !== undefined)?.message;
    if (!this.isBehind || last === undefined) return Promise.resolve();
    return this.load('newer', { around: last.message_id }, (stretch, page) => {
      this.isBehind = false;
      return withNewer(stretch, behindLast(stretch, page));
    });
  }

  private async load(side: Side, place: Place, add: (stretch: Stretch, page: TimelinePage) => Stretch): Promise<void> {
    const held = this.stretch.peek();
    if (this.loading.peek() !== null || held === null) return;
    this.loading.value = side;
    this.failure.value = null;
    try {
      const page = await this.reader.page(place);
      const now = this.stretch.peek();
      const edge = side === 'older' ? 0 : -1;
      // Meanwhile somebody may have gone elsewhere.
      const isSame =
        now !== null &&
        now.at(edge)?.before === held.at(edge)?.before &&
        (side === 'older' || now.at(-1)?.after === held.at(-1)?.after);
      if (isSame) this.stretch.value = add(now, page);
    } catch (error) {
      this.failure.value = { side, error };
    } finally {
      this.loading.value = null;
    }
  }

  /** Shows a message, wherever in the thread it is. @throws what the service answers when it is not there */
  async goTo(messageId: string): Promise<void> {
    const isHeld = entriesOf(this.stretch.peek() ?? []).some((entry) => keyOf(entry) === messageId);
    const page = isHeld ? null : await this.reader.page({ around: messageId });
    batch(() => {
      this.isAtEnd.value = false;
      if (page !== null) {
        this.stretch.value = [page];
        this.isBehind = false;
      }
      this.target.value = { key: messageId, count: (this.target.peek()?.count ?? 0) + 1 };
    });
  }

  /** Shows the newest entries, and stays there. */
  async toNewest(): Promise<void> {
    this.target.value = null;
    if (!this.isComplete) this.stretch.value = null;
    this.isAtEnd.value = true;
    this.noteSeen();
    if (this.stretch.peek() === null) await this.reader.newest();
  }

  /** Shows a change before the stream tells it. */
  patch(messageId: string, change: Partial<NonNullable<Entry['message']>>): void {
    const held = this.stretch.peek();
    const entry = entriesOf(held ?? []).find((one) => keyOf(one) === messageId);
    if (held === null || entry?.message === undefined) return;
    const changed: Entry = { ...entry, message: { ...entry.message, ...change } };
    this.stretch.value = withChanges(held, new Map([[messageId, changed]]));
  }

  /** Notes what could not be done with a message; null clears it. */
  note(messageId: string, problem: string | null): void {
    const problems = new Map(this.problems.peek());
    if (problem === null) problems.delete(messageId);
    else problems.set(messageId, problem);
    this.problems.value = problems;
  }
}
