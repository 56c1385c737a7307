import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { MINUTE, SECOND } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import type { LiveTopic, Watched } from './live-topic.js';

/** Called with a state as JSON, at first and after each change. */
export type OnState = (state: string) => void;

/** Reads after which what has not changed is read less often. */
const IDLE_AFTER = 10;
/** How long a state stands whose mark has not changed, milliseconds. */
const MARKED_FOR_MS = 5 * SECOND;
/** The longest pause after reads that failed, milliseconds. */
const MAX_PAUSE_MS = 10 * SECOND;

/** One thing that is watched, by any number of streams. */
interface Reader {
  readonly watched: Watched;
  readonly watchers: Set<OnState>;
  state: string | null;
  /** As it was when the state was last read; null when that has to be read anew. */
  mark: string | null;
  isBeingRead: boolean;
  /** Reads since the last change. */
  unchanged: number;
  /** Reads that have failed in a row. */
  failures: number;
  /** By `performance.now()`. */
  readAt: number;
  dueAt: number;
}

/** Reads what is watched, each topic at its own pace, and tells of changes. Nobody who isn't looking costs anything. */
@Injectable()
export class LiveFeed implements OnApplicationShutdown {
  private readonly feeds = new Map<LiveTopic, TopicFeed>();

  /** Watches until the returned function is called. */
  watch(topic: LiveTopic, watched: Watched, onState: OnState): () => void {
    let feed = this.feeds.get(topic);
    if (feed === undefined) {
      feed = new TopicFeed(topic);
      this.feeds.set(topic, feed);
    }
    return feed.watch(watched, onState);
  }

  onApplicationShutdown(): void {
    for (const feed of this.feeds.values()) feed.stop();
  }
}

/** The readers of one topic, which are read together. */
class TopicFeed {
  private readonly logger = new Logger(LiveFeed.name);
  private readonly readers = new Map<string, Reader>();
  private timer: NodeJS.Timeout | undefined;
  private isReading = false;
  private readonly logLines = new OncePer(MINUTE);

  constructor(private readonly topic: LiveTopic) {}

  watch(watched: Watched, onState: OnState): () => void {
    const key = this.topic.keyOf(watched);
    let reader = this.readers.get(key);
    if (reader === undefined) {
      reader = {
        watched,
        watchers: new Set(),
        state: null,
        mark: null,
        isBeingRead: false,
        unchanged: 0,
        failures: 0,
        readAt: 0,
        dueAt: 0,
      };
      this.readers.set(key, reader);
    }
    const { watchers, state } = reader;
    watchers.add(onState);
    if (state !== null) onState(state);
    this.plan();
    return () => {
      watchers.delete(onState);
      if (watchers.size === 0 && this.readers.get(key)?.watchers === watchers) this.readers.delete(key);
    };
  }

  stop(): void {
    clearTimeout(this.timer);
    this.readers.clear();
  }

  /** Plans the next look, unless one is under way, which plans the next one itself. */
  private plan(): void {
    clearTimeout(this.timer);
    const waiting = [...this.readers.values()].filter(({ isBeingRead }) => !isBeingRead);
    if (this.isReading || waiting.length === 0) return;
    const dueAt = Math.min(...waiting.map((reader) => reader.dueAt));
    this.timer = setTimeout(() => void this.look(), Math.max(0, dueAt - performance.now())).unref();
  }

  private async look(): Promise<void> {
    const { everyMs, idleMs } = this.topic;
    const startedAt = performance.now();
    // Those that are nearly due come along: one statement for all.
    const due = [...this.readers.values()].filter(
      ({ dueAt, isBeingRead }) => !isBeingRead && dueAt <= startedAt + everyMs / 2,
    );
    for (const reader of due) {
      reader.dueAt = startedAt + (reader.unchanged < IDLE_AFTER ? everyMs : Math.max(everyMs, idleMs));
    }
    this.isReading = true;
    try {
      const changed = await this.changedAmong(due, startedAt);
      if (this.topic.readsApart) for (const reader of changed) void this.read([reader]);
      else await this.read(changed);
    } catch (error) {
      this.postpone(due, error as Error);
    } finally {
      this.isReading = false;
      this.plan();
    }
  }

  /** Those whose mark has changed, and those that were not read for a while. */
  private async changedAmong(due: readonly Reader[], startedAt: number): Promise<Reader[]> {
    const marks = await this.topic.marks(due.map(({ watched }) => watched));
    return due.filter((reader, place) => {
      const mark = marks[place] ?? null;
      if (mark !== null && mark === reader.mark && startedAt - reader.readAt < MARKED_FOR_MS) {
        reader.unchanged += 1;
        return false;
      }
      reader.mark = mark;
      reader.readAt = startedAt;
      return true;
    });
  }

  private async read(readers: readonly Reader[]): Promise<void> {
    if (readers.length === 0) return;
    for (const reader of readers) reader.isBeingRead = true;
    try {
      const states = await this.topic.read(readers.map(({ watched }) => watched));
      for (const [place, reader] of readers.entries()) this.tell(reader, states[place] ?? null);
    } catch (error) {
      this.postpone(readers, error as Error);
    } finally {
      for (const reader of readers) reader.isBeingRead = false;
      this.plan();
    }
  }

  /** Lets those that could not be read wait, twice as long after each failure. */
  private postpone(readers: readonly Reader[], error: Error): void {
    for (const reader of readers) {
      reader.mark = null;
      reader.failures += 1;
      const pauseMs = Math.min(this.topic.everyMs * 2 ** reader.failures, MAX_PAUSE_MS);
      reader.dueAt = Math.max(reader.dueAt, performance.now() + pauseMs);
    }
    if (!this.logLines.allows('failure')) return;
    this.logger.warn(`${this.topic.name} cannot be read for those who watch: ${error.message}`);
  }

  private tell(reader: Reader, state: object | null): void {
    const text = state === null ? null : JSON.stringify(state);
    reader.failures = 0;
    reader.unchanged = text === reader.state ? reader.unchanged + 1 : 0;
    if (text === reader.state) return;
    reader.state = text;
    if (text === null) return;
    for (const watcher of reader.watchers) watcher(text);
  }
}
