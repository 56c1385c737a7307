import { existsSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { fillInBulk, largeTenant, seedLargeTenant } from './large-tenant.js';
import type { BenchAccount, Stack } from './stack.js';
import { signIn } from './watcher.js';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];
/** With another name the cookie needs no TLS. */
export const COOKIE = 'parley_bench';
/** Seven of ten seeded conversations are open. */
const SEEDED_PER_OPEN = 10 / 7;
const SECOND = 1000;

/** What scrolls: the list of conversations, and the open thread. */
const SCROLLERS = { list: '.list .rows', thread: '.talk' } as const;
type Scroller = keyof typeof SCROLLERS;

/** Resolves once two frames have been drawn. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Notes when each “Message 1.” and so on is drawn, in the list and in the thread, in milliseconds since 1970. */
const NOTE_ARRIVALS = `
  window.drawn = { list: {}, thread: {} };
  const look = () => {
    for (const [name, selector] of Object.entries(${JSON.stringify(SCROLLERS)})) {
      const text = document.querySelector(selector)?.textContent ?? '';
      for (const [found] of text.matchAll(/Message \\d+\\./g)) {
        window.drawn[name][found] ??= performance.timeOrigin + performance.now();
      }
    }
  };
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(look)))
    .observe(document.body, { subtree: true, childList: true, characterData: true });
`;

/** An inbox with many open conversations, one of them long, in a real browser. */
export class ShownInbox {
  private constructor(
    private readonly stack: Stack,
    private readonly account: BenchAccount,
    private readonly customer: string,
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly devtools: CDPSession,
  ) {}

  /** @param size open conversations, and the messages of one of them */
  static async open(stack: Stack, size: { conversations: number; messages: number }): Promise<ShownInbox> {
    const account = await stack.account();
    const db = stack.unitOfWork.autocommit;
    const seeded = Math.ceil(size.conversations * SEEDED_PER_OPEN);
    await fillInBulk(db, async () => {
      const people = { contacts: seeded, conversations: seeded, groups: 1, largestGroup: 1 };
      await seedLargeTenant(account.accountId, { ...people, longestThread: size.messages }, db);
      await db.affected(
        `UPDATE messages SET content = repeat('Is my parcel on its way? ', 1 + abs(hashtext(id::text)) % 8) WHERE account_id = $1`,
        [account.accountId],
      );
    });
    const { contactPhone } = await largeTenant(account.accountId, db);
    const cookie = await signIn(stack, account.ownerId);
    const browser = await chromium.launch({
      args: FLAGS,
      ...(PROGRAM === undefined ? {} : { executablePath: PROGRAM }),
    });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: COOKIE, value: cookie.slice(cookie.indexOf('=') + 1), url: stack.baseUrl }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    const shown = new ShownInbox(stack, account, contactPhone, browser, page, devtools);
    await shown.load();
    return shown;
  }

  stop(): Promise<void> {
    return this.browser.close();
  }

  /**
   * Turns the wheel over a part of the page.
   *
   * @param pixels per step; 0 shows what measuring itself costs
   * @returns the time of the main thread for each step, in milliseconds
   */
  async scroll(part: Scroller, pixels: number, steps: number): Promise<number[]> {
    await this.page.locator(SCROLLERS[part]).hover();
    await this.devtools.send('Runtime.evaluate', { expression: DRAWN, awaitPromise: true });
    const place = await this.placeOf(part);
    const costs: number[] = [];
    for (let step = 0; step < steps; step += 1) {
      const before = await this.busyMs();
      if (pixels !== 0) await this.page.mouse.wheel(0, pixels);
      await this.devtools.send('Runtime.evaluate', { expression: DRAWN, awaitPromise: true });
      costs.push((await this.busyMs()) - before);
    }
    if (pixels !== 0 && (await this.placeOf(part)) === place) throw new Error(`the ${part} did not move`);
    return costs;
  }

  /**
   * Lets the customer of the open thread write, a message a second.
   *
   * @returns for each message, milliseconds from the network’s callback until it was drawn
   */
  async arrivals(count: number): Promise<Readonly<Record<Scroller, number[]>>> {
    await this.load();
    // Under a hand, rows of the list stay where they are.
    await this.page.getByRole('textbox', { name: /^Message to / }).hover();
    await this.page.evaluate(NOTE_ARRIVALS);
    const sent: number[] = [];
    for (let message = 0; message < count; message += 1) {
      const at = Date.now();
      sent.push(at);
      const text = { type: 'text', text: `Message ${message}.` };
      await this.stack.simulate('inbound', {
        phone_number_id: this.account.phoneNumberId,
        from: this.customer,
        ...text,
      });
      await this.page.waitForTimeout(Math.max(0, at + SECOND - Date.now()));
    }
    await this.page.waitForTimeout(2 * SECOND);
    const drawn = await this.page.evaluate<Record<Scroller, Record<string, number>>>('window.drawn');
    const lags = (part: Scroller): number[] =>
      sent.map((at, message) => (drawn[part][`Message ${message}.`] ?? Number.POSITIVE_INFINITY) - at);
    return { list: lags('list'), thread: lags('thread') };
  }

  private async load(): Promise<void> {
    const { accountId, businessPhoneId } = this.account;
    const path = `/console/${accountId}/inbox/${this.customer}/${businessPhoneId}?view=all`;
    await this.page.goto(this.stack.baseUrl + path);
    await this.page.locator('.talk article').first().waitFor();
    await this.page.locator('.list-body .conv').first().waitFor();
    await this.page.locator('.nav .live', { hasText: 'Live' }).waitFor();
  }

  private async busyMs(): Promise<number> {
    const { metrics } = await this.devtools.send('Performance.getMetrics');
    return SECOND * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  }

  private placeOf(part: Scroller): Promise<number> {
    return this.page.evaluate<number>(
      `(() => { const { scrollTop, scrollHeight } = document.querySelector('${SCROLLERS[part]}'); return scrollTop - scrollHeight; })()`,
    );
  }
}
