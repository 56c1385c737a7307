import { BackOff } from './back-off.js';
import { isOffline } from './connection.js';
import type { LeaderMessage, StreamState, TabMessage } from './live-messages.js';
import { LiveStream, type StreamEnd } from './live-stream.js';
import { ShownTopics, topicOf } from './shown-topics.js';

/** How long topics may change before the stream is opened anew, milliseconds. */
const SETTLE_MS = 100;
/** A tab that says nothing for this long is gone, milliseconds. */
const MAX_TAB_SILENCE_MS = 30_000;
/** A stream that lasted this long was a good one, milliseconds: after it, attempts begin from the shortest wait. */
const GOOD_MS = 5000;
/** Before the next attempt where nothing but another request can help, milliseconds. */
const REFUSED_MS = 15_000;

interface Hello {
  readonly server_time: string;
  readonly version: string | null;
}

/** Holds the stream for all tabs of a browser that show an account, and opens it again when it breaks. */
export class LiveLeader {
  private readonly shown = new ShownTopics();
  private readonly backOff = new BackOff();
  /** The last event of each topic, for tabs that show it later. */
  private readonly latest = new Map<string, unknown>();
  private state: StreamState = { isOpen: false, streak: null, topics: [], aheadMs: 0, version: null };
  private stream: LiveStream | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When the stream said hello. */
  private openedAt = 0;
  private isClosed = false;

  constructor(
    private readonly accountId: string,
    private readonly tell: (message: LeaderMessage) => void,
  ) {}

  /** Asks the tabs what they show, and opens the stream once they have answered. */
  start(): void {
    this.tell({ kind: 'who' });
    this.openIn(SETTLE_MS);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stream?.close();
  }

  /** Whether the tab is the only visible one, or none is. */
  isAlone(tab: string): boolean {
    return !this.shown.hasOther(tab);
  }

  hear(message: TabMessage): void {
    const now = performance.now();
    this.shown.dropSilent(now - MAX_TAB_SILENCE_MS);
    if (message.kind === 'hides') this.shown.hide(message.tab);
    else {
      const fresh = this.shown.show(message.tab, message.topics, now);
      this.tell({ kind: 'state', state: this.state });
      for (const topic of fresh) {
        if (this.latest.has(topic)) this.tell({ kind: 'event', topic, data: this.latest.get(topic) });
      }
    }
    // With none visible it goes on as it is until it is closed.
    const isOther = this.shown.count > 0 && this.shown.wanted().join() !== this.state.topics.join();
    if (this.stream !== null && isOther) this.openIn(SETTLE_MS);
  }

  /** Tries at once instead of when its time has come. */
  retry(): void {
    if (this.stream === null) this.openIn(0);
  }

  private openIn(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => this.open(), ms);
  }

  private open(): void {
    // Tried when the connection is back.
    if (this.stream === null && isOffline.peek()) return;
    const topics = this.shown.wanted();
    if (this.stream !== null && topics.join() === this.state.topics.join()) return;
    this.stream?.close();
    for (const topic of this.latest.keys()) if (!topics.includes(topic)) this.latest.delete(topic);
    this.state = { ...this.state, topics };
    const stream: LiveStream = new LiveStream(this.accountId, topics, {
      onHeard: () => this.tell({ kind: 'heard' }),
      onEvent: (event, data) => {
        if (this.stream === stream) this.pass(event, data);
      },
    });
    this.stream = stream;
    void stream.ended.then((end) => {
      if (this.stream === stream && !this.isClosed) this.lose(end);
    });
  }

  private pass(event: string, data: unknown): void {
    if (event === 'hello') {
      const { server_time, version } = data as Hello;
      this.openedAt = performance.now();
      const streak = this.state.isOpen ? this.state.streak : crypto.randomUUID();
      this.change({ isOpen: true, streak, aheadMs: Date.parse(server_time) - Date.now() || 0, version });
    } else {
      const topic = topicOf(event, data);
      this.shown.sent(topic);
      this.latest.set(topic, data);
      this.tell({ kind: 'event', topic, data });
    }
  }

  private lose(end: StreamEnd): void {
    this.stream = null;
    if (end.kind === 'signed_out' || (end.kind === 'refused' && end.status === 401)) {
      this.change({ isOpen: false });
      this.tell({ kind: 'signed_out' });
      return;
    }
    const isOfTopics = end.kind === 'refused' && [400, 403, 404].includes(end.status);
    if (isOfTopics && this.shown.refuse()) {
      this.openIn(0);
      return;
    }
    if (this.state.isOpen && performance.now() - this.openedAt > GOOD_MS) this.backOff.reset();
    this.change({ isOpen: false });
    const atLeastMs = end.kind === 'refused' ? Math.max(end.retryAfterMs, isOfTopics ? REFUSED_MS : 0) : 0;
    this.openIn(this.backOff.next(atLeastMs));
  }

  private change(changes: Partial<StreamState>): void {
    this.state = { ...this.state, ...changes };
    this.tell({ kind: 'state', state: this.state });
  }
}
