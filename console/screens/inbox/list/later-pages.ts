import type { Conversation } from '../records.js';
import type { ConversationsPage } from './conversations-page.js';
import { PAGE_SIZE } from './page-size.js';

/** From where on the service counts no further in a list with a filter. */
const MAX_COUNTED = 10_000;
/** How far the list is taken to go on behind the last row that is known, where nobody has counted. */
const BEYOND = 1000;
/** How many pages are kept: those around what is shown. */
const MAX_PAGES = 40;
/** After which time a page is read again when it is shown, milliseconds. */
const FRESH_MS = 10_000;

type ReadPage = (page: number, signal: AbortSignal) => Promise<ConversationsPage>;

/** The pages of a list behind its first one, which are read when they come into view. Pages count from 0. */
export class LaterPages {
  private all: ReadonlyMap<number, readonly Conversation[]> = new Map();
  private failure: unknown = null;
  /** Behind the last row that is known to exist, and the end of the list where a page showed it. */
  private known: { readonly reached: number; readonly end: number | null } = { reached: 0, end: null };
  private readonly readAt = new Map<number, number>();
  private readonly reading = new Map<number, AbortController>();

  /** @param onChange called after each change of what is known */
  constructor(
    private readonly read: ReadPage,
    private readonly onChange: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  get pages(): ReadonlyMap<number, readonly Conversation[]> {
    return this.all;
  }

  /** Why a page could not be read; null once one could. */
  get error(): unknown {
    return this.failure;
  }

  /** How many rows the list has; where the service stops counting, as far as one may scroll for now. */
  size(total: number): number {
    const { reached, end } = this.known;
    if (total < MAX_COUNTED) return total;
    return end ?? Math.max(total, reached > total - PAGE_SIZE ? reached + BEYOND : 0);
  }

  /**
   * Reads the pages of the rows of a stretch that are missing or old, and gives up those that nobody looks at.
   *
   * @param isHeld whether what is shown must not move: then only what is missing is read
   */
  need(from: number, to: number, isHeld: boolean): void {
    const [first, last] = [Math.max(Math.floor(from / PAGE_SIZE), 1), Math.floor((to - 1) / PAGE_SIZE)];
    for (const [page, controller] of this.reading) {
      if (page >= first && page <= last) continue;
      controller.abort();
      this.reading.delete(page);
    }
    for (let page = first; page <= last; page++) {
      const isGood = isHeld ? this.all.has(page) : this.isFresh(page);
      if (!isGood && !this.reading.has(page)) void this.load(page);
    }
  }

  /** Notes that rows have moved: every page has to be read again before it is believed. */
  outdate(): void {
    this.readAt.clear();
  }

  close(): void {
    for (const controller of this.reading.values()) controller.abort();
    this.reading.clear();
  }

  private isFresh(page: number): boolean {
    const at = this.readAt.get(page);
    return at !== undefined && this.all.has(page) && this.now() - at < FRESH_MS;
  }

  private async load(page: number): Promise<void> {
    const controller = new AbortController();
    this.reading.set(page, controller);
    try {
      const { rows } = await this.read(page, controller.signal);
      if (controller.signal.aborted) return;
      this.readAt.set(page, this.now());
      this.failure = null;
      this.learn(page, rows.length);
      this.all = this.withPage(page, rows);
      this.onChange();
    } catch (error) {
      if (controller.signal.aborted) return;
      this.failure = error;
      this.onChange();
    } finally {
      if (this.reading.get(page) === controller) this.reading.delete(page);
    }
  }

  private learn(page: number, rows: number): void {
    const { reached, end } = this.known;
    const behind = page * PAGE_SIZE + rows;
    if (rows === PAGE_SIZE) {
      this.known = { reached: Math.max(reached, behind), end: end !== null && end < behind ? null : end };
    } else {
      // Of a page without rows, only that the list ends no later.
      this.known = { reached: rows > 0 ? behind : Math.min(reached, behind), end: behind };
    }
  }

  private withPage(page: number, rows: readonly Conversation[]): ReadonlyMap<number, readonly Conversation[]> {
    const next = new Map([...this.all, [page, rows] as const]);
    if (next.size <= MAX_PAGES) return next;
    const nearest = [...next].sort(([one], [other]) => Math.abs(one - page) - Math.abs(other - page));
    return new Map(nearest.slice(0, MAX_PAGES));
  }
}
