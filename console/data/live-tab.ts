import { LiveLeader } from './live-leader.js';
import type { LeaderMessage, StreamState, TabMessage } from './live-messages.js';

/** How often a visible tab says that it is there, milliseconds. */
const ANNOUNCE_EVERY_MS = 10_000;
/** The tab that holds the stream answers within this time, milliseconds, unless its browser has put it to sleep. */
const ANSWER_WITHIN_MS = 3000;
/** How long the stream stays after the last tab is hidden, milliseconds. */
const KEPT_HIDDEN_MS = 60_000;

interface TabListener {
  readonly onEvent: (topic: string, data: unknown) => void;
  /** Null until the tab that holds the stream has said how it is. */
  readonly onState: (state: StreamState | null) => void;
  readonly onHeard: () => void;
  readonly onSignedOut: () => void;
  /** Whether the last tab keeps the stream however long it is hidden, because it tells the person what comes. */
  readonly staysHidden?: () => boolean;
}

/**
 * What one tab does for the stream that all tabs of a browser share: it says what it shows, gets what the stream brings,
 * and holds the stream itself while it has the lock. Only visible tabs want the lock, because browsers put hidden ones
 * to sleep. Without locks each tab has a stream of its own.
 */
export class LiveTab {
  private readonly id = crypto.randomUUID();
  private readonly name: string;
  private readonly channel: BroadcastChannel | null;
  private topics: readonly string[] = [];
  private isVisible = false;
  private leader: LiveLeader | null = null;
  /** Gives the lock back. */
  private release: (() => void) | null = null;
  /** Ends waiting for the lock. */
  private waiting: AbortController | null = null;
  private announcing: ReturnType<typeof setInterval> | undefined;
  private unanswered: ReturnType<typeof setTimeout> | undefined;
  private keeping: ReturnType<typeof setTimeout> | undefined;

  /** @param userId keeps tabs apart in which different people have signed in, one after the other */
  constructor(
    private readonly accountId: string,
    userId: string,
    private readonly listener: TabListener,
  ) {
    this.name = `parley.live.${accountId}.${userId}`;
    const isShared = 'locks' in navigator && 'BroadcastChannel' in globalThis;
    this.channel = isShared ? new BroadcastChannel(this.name) : null;
    this.channel?.addEventListener('message', this.hear);
    document.addEventListener('visibilitychange', this.look);
    addEventListener('pagehide', this.hide);
    addEventListener('pageshow', this.look);
    this.look();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.look);
    removeEventListener('pagehide', this.hide);
    removeEventListener('pageshow', this.look);
    this.hide();
    this.resign();
    this.channel?.close();
  }

  /** Says what the tab shows from now on. */
  show(topics: readonly string[]): void {
    this.topics = topics;
    if (this.isVisible) this.announce();
  }

  /** Tries at once to open a stream that broke. */
  retry(): void {
    this.leader?.retry();
  }

  private readonly look = (): void => {
    if (document.visibilityState === 'hidden') this.hide();
    else if (!this.isVisible) {
      this.isVisible = true;
      clearTimeout(this.keeping);
      this.listener.onState(null);
      this.announcing = setInterval(() => this.announce(), ANNOUNCE_EVERY_MS);
      if (this.leader === null) this.wait();
      this.announce();
    }
  };

  private readonly hide = (): void => {
    if (!this.isVisible) return;
    this.isVisible = false;
    clearInterval(this.announcing);
    clearTimeout(this.unanswered);
    this.waiting?.abort();
    this.toLeader({ kind: 'hides', tab: this.id });
    if (this.leader === null) return;
    if (!this.leader.isAlone(this.id)) this.resign();
    else if (this.listener.staysHidden?.() !== true) this.keeping = setTimeout(() => this.resign(), KEPT_HIDDEN_MS);
  };

  private announce(): void {
    clearTimeout(this.unanswered);
    this.unanswered = setTimeout(() => this.wait({ steal: true }), ANSWER_WITHIN_MS);
    this.toLeader({ kind: 'shows', tab: this.id, topics: this.topics });
  }

  /** Waits for the lock, or takes it from a tab that sleeps. */
  private wait({ steal = false } = {}): void {
    if (this.leader !== null) return;
    this.waiting?.abort();
    if (this.channel === null) {
      this.lead();
      return;
    }
    this.waiting = new AbortController();
    const { signal } = this.waiting;
    let isHeld = false;
    const hold = (): Promise<void> | undefined => {
      if (signal.aborted) return;
      isHeld = true;
      return new Promise((resolve) => {
        this.release = resolve;
        this.lead();
      });
    };
    // A browser refuses both together.
    void navigator.locks.request(this.name, steal ? { steal } : { signal }, hold).catch(() => {
      if (isHeld) this.loseLock();
    });
  }

  private lead(): void {
    this.leader = new LiveLeader(this.accountId, this.toTabs);
    this.leader.start();
  }

  private resign(): void {
    clearTimeout(this.keeping);
    this.leader?.close();
    this.leader = null;
    this.release?.();
    this.release = null;
  }

  /** Another tab took the lock because this one slept. It is awake again, and waits for its turn. */
  private loseLock(): void {
    this.resign();
    if (!this.isVisible) return;
    this.listener.onState(null);
    this.wait();
    this.announce();
  }

  private toLeader(message: TabMessage): void {
    this.channel?.postMessage(message);
    this.leader?.hear(message);
  }

  private readonly toTabs = (message: LeaderMessage): void => {
    this.channel?.postMessage(message);
    this.receive(message);
  };

  private readonly hear = ({ data }: MessageEvent<TabMessage | LeaderMessage>): void => {
    if (data.kind !== 'shows' && data.kind !== 'hides') {
      this.receive(data);
      return;
    }
    this.leader?.hear(data);
    // A hidden tab leaves the stream to one that is seen.
    if (data.kind === 'shows' && !this.isVisible) this.resign();
  };

  private receive(message: LeaderMessage): void {
    if (message.kind === 'who') {
      if (this.isVisible) this.announce();
    } else if (message.kind === 'event') {
      // A hidden tab that holds the stream may be the only one that can tell.
      if (this.isVisible || this.leader !== null) this.listener.onEvent(message.topic, message.data);
    } else if (message.kind === 'heard') this.listener.onHeard();
    else if (message.kind === 'signed_out') this.listener.onSignedOut();
    else {
      clearTimeout(this.unanswered);
      if (this.isVisible) this.listener.onState(message.state);
    }
  }
}
