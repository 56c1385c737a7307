import { inFlight } from './load.js';
import type { BenchAccount, Stack } from './stack.js';
import { signIn, Watcher, type Watching } from './watcher.js';

const SECOND = 1000;
const CONCURRENT_SETUPS = 8;
const FIRST_CONTACT = 4_915_200_000_000;
/** Messages that came so shortly before streams close are not waited for, milliseconds. */
const MAX_LAG_MS = 5 * SECOND;

/** An account whose customers write, and the page of somebody who answers one of them. */
interface WatchedInbox {
  readonly account: BenchAccount;
  /** The cookie of the owner. */
  readonly cookie: string;
  readonly customers: readonly string[];
  /** When the callback of each text was sent, milliseconds since 1970, and whether streams were open. */
  readonly sent: Map<string, { readonly at: number; readonly isWatched: boolean }>;
  /** When a thread, or the list, first had each text. */
  readonly inThread: Map<string, number>;
  readonly inList: Map<string, number>;
}

interface Thread {
  readonly entries: readonly { readonly message?: { readonly content: string } }[];
}
interface Rows {
  readonly conversations: readonly { readonly last_message_preview: string | null }[];
}

/** Accounts whose customers write, one message a second each, and the pages on which that appears. */
export class WatchedInboxes {
  private open: Watcher[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<unknown>[] = [];
  private count = 0;
  private isWatched = false;

  private constructor(
    private readonly stack: Stack,
    private readonly inboxes: readonly WatchedInbox[],
  ) {}

  /** @param people customers of each account, who have all written */
  static async start(stack: Stack, accounts: number, people: number): Promise<WatchedInboxes> {
    const inboxes: WatchedInbox[] = [];
    await inFlight({ connections: CONCURRENT_SETUPS, requests: accounts }, async (index) => {
      const account = await stack.account();
      const customers = Array.from({ length: people }, (_, place) => String(FIRST_CONTACT + index * people + place));
      for (const customer of customers) await write(stack, account, customer, 'Hello');
      const cookie = await signIn(stack, account.ownerId);
      inboxes.push({ account, cookie, customers, sent: new Map(), inThread: new Map(), inList: new Map() });
      return true;
    });
    return new WatchedInboxes(stack, inboxes);
  }

  /** Lets a customer of every account write each second; the one whose thread is open as often as all others. */
  beginWriting(): void {
    const gap = SECOND / this.inboxes.length;
    const from = performance.now();
    const next = (): void => {
      const inbox = this.inboxes[this.count % this.inboxes.length];
      const round = Math.floor(this.count / this.inboxes.length);
      const customer = inbox?.customers[round % 2 === 0 ? 0 : (round % (inbox.customers.length - 1)) + 1];
      this.count += 1;
      if (inbox !== undefined && customer !== undefined) {
        const text = `Message ${this.count}`;
        inbox.sent.set(text, { at: Date.now(), isWatched: this.isWatched });
        this.writing.push(write(this.stack, inbox.account, customer, text));
      }
      this.timer = setTimeout(next, Math.max(0, from + this.count * gap - performance.now()));
    };
    next();
  }

  async endWriting(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all(this.writing.splice(0));
  }

  /** Opens a page in each account: its list, the thread of its first customer, and the counts. */
  async watch(): Promise<void> {
    await inFlight({ connections: CONCURRENT_SETUPS, requests: this.inboxes.length }, async (index) => {
      const inbox = this.inboxes[index];
      if (inbox !== undefined) this.open.push(await Watcher.open(this.stack, watching(inbox)));
      return inbox !== undefined;
    });
    this.isWatched = true;
  }

  async unwatch(): Promise<void> {
    this.isWatched = false;
    const end = Date.now() - MAX_LAG_MS;
    for (const { sent } of this.inboxes) {
      for (const [text, { at }] of sent) if (at > end) sent.set(text, { at, isWatched: false });
    }
    await Promise.all(this.open.splice(0).map((watcher) => watcher.close()));
  }

  /** Milliseconds from the callback of each message until a page had it: in its list, and in the thread that is open. */
  lags(): { readonly list: number[]; readonly thread: number[] } {
    const [list, thread]: [number[], number[]] = [[], []];
    for (const { sent, inList, inThread } of this.inboxes) {
      for (const [text, { at, isWatched }] of sent) {
        if (!isWatched) continue;
        list.push((inList.get(text) ?? Number.POSITIVE_INFINITY) - at);
        const shown = inThread.get(text);
        if (shown !== undefined) thread.push(shown - at);
      }
    }
    return { list, thread };
  }
}

function watching({ account, cookie, customers, inThread, inList }: WatchedInbox): Watching {
  const { accountId, businessPhoneId } = account;
  const inbox = encodeURIComponent('inbox:unassigned?order=last_inbound');
  return {
    accountId,
    cookie,
    topics: ['badges', inbox, `thread:${customers[0]}:${businessPhoneId}`],
    onEvent: (event, data) => {
      const at = Date.now();
      const note = (seen: Map<string, number>, text: string | null | undefined): void => {
        if (text != null && !seen.has(text)) seen.set(text, at);
      };
      if (event === 'timeline')
        for (const { message } of (JSON.parse(data) as Thread).entries) note(inThread, message?.content);
      if (event === 'rows') {
        for (const row of (JSON.parse(data) as Rows).conversations) note(inList, row.last_message_preview);
      }
    },
  };
}

const write = (stack: Stack, { phoneNumberId }: BenchAccount, from: string, text: string): Promise<unknown> =>
  stack.simulate('inbound', { phone_number_id: phoneNumberId, from, type: 'text', text });
