import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { LiveTopic, Watched } from './live-topic.js';

/** Called with a state as JSON, at first and after each change. */
export type OnState = (state: string) => void;

/** Reads after which what has not changed is read less often. */
const IDLE_AFTER = 10;

/** One thing that is watched, by any number of streams. */
interface Reader {
  readonly watched: Watched;
  readonly watchers: Set<OnState>;
  state: string | null;
  /** Reads since the last change. */
  unchanged: number;
  /** By `performance.now()`. */
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
  /** Whether the last read failed: an outage is logged once. */
  private hasFailed = false;

  constructor(private readonly topic: LiveTopic) {}

  watch(watched: Watched, onState: OnState): () => void {
    const key = this.topic.keyOf(watched);
    let reader = this.readers.get(key);
    if (reader === undefined) {
      reader = { watched, watchers: new Set(), state: null, unchanged: 0, dueAt: 0 };
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

  /** Plans the next read, unless one is under way, which plans the next one itself. */
  private plan(): void {
    clearTimeout(this.timer);
    if (this.isReading || this.readers.size === 0) return;
    const dueAt = Math.min(...[...this.readers.values()].map((reader) => reader.dueAt));
    this.timer = setTimeout(() => void this.read(), Math.max(0, dueAt - performance.now())).unref();
  }

  private async read(): Promise<void> {
    const { everyMs, idleMs } = this.topic;
    const startedAt = performance.now();
    // Those that are nearly due come along: one statement for all.
    const due = [...this.readers.values()].filter(({ dueAt }) => dueAt <= startedAt + everyMs / 2);
    for (const reader of due) {
      reader.dueAt = startedAt + (reader.unchanged < IDLE_AFTER ? everyMs : Math.max(everyMs, idleMs));
    }
    this.isReading = true;
    try {
      const states = await this.topic.read(due.map(({ watched }) => watched));
      for (const [place, reader] of due.entries()) this.tell(reader, states[place] ?? null);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        this.logger.warn(`${this.topic.name} cannot be read for those who watch: ${(error as Error).message}`);
      }
      this.hasFailed = true;
    } finally {
      this.isReading = false;
      this.plan();
    }
  }

  private tell(reader: Reader, state: object | null): void {
    const text = state === null ? null : JSON.stringify(state);
    reader.unchanged = text === reader.state ? reader.unchanged + 1 : 0;
    if (text === reader.state) return;
    reader.state = text;
    if (text === null) return;
    for (const watcher of reader.watchers) watcher(text);
  }
}
