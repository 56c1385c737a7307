import type { Page } from 'playwright-core';
import { timelineOf } from '../../conversations/threads.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { ConsoleBrowser, heading } from './console-browser.js';
import { type Customer, INBOX_ENV, InboxPages } from './inbox-pages.js';

const CUSTOMERS = 20;
const NUMBERS =
  'One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Twenty';

describe('two people who answer at once', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let inbox: InboxPages;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    inbox = await InboxPages.start(world, browser);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });

  const list = (page: Page) => page.getByRole('region', { name: 'The list of conversations' });
  const rows = (page: Page) => list(page).locator('a.conv');

  /** Answers whoever stands first in the list and has not been looked at, until nobody is left; returns whom. */
  const serve = async (page: Page, answer: string): Promise<string[]> => {
    const [seen, answered] = [new Set<string>(), [] as string[]];
    const next = async (): Promise<string | null> => {
      const names = await rows(page).locator('.who').allTextContents();
      return names.find((name) => !seen.has(name)) ?? null;
    };
    for (;;) {
      await page.mouse.move(900, 400);
      await until('somebody waits, or nobody any more', async () => {
        return (await next()) !== null || (await rows(page).count()) === 0;
      });
      // While somebody points at the list, nobody moves in it.
      await list(page).locator('.list-body').hover();
      const name = await next();
      if (name === null && (await rows(page).count()) === 0) return answered;
      if (name === null) continue;
      seen.add(name);
      await rows(page).filter({ hasText: name }).click();
      await heading(page, name);
      await page.mouse.move(900, 400);
      const field = page.getByRole('textbox', { name: /^Message to / });
      const held = page.getByText('Nothing was sent.');
      await field.fill(answer);
      await field.press('Control+Enter');
      const sent = page.getByRole('log').locator('.msg:not(.waiting)').filter({ hasText: answer });
      const { isHeld } = await until('it was sent, or a colleague has them', async () => {
        if (await held.isVisible()) return { isHeld: true };
        return (await sent.count()) > 0 && { isHeld: false };
      });
      if (isHeld) await field.fill('');
      else answered.push(name);
    }
  };

  it('answer everybody once', async () => {
    const customers: Customer[] = NUMBERS.split(' ').map((name) => inbox.customer(`${name} Quillon`));
    expect(customers).toHaveLength(CUSTOMERS);
    for (const customer of customers) await inbox.writes(customer, 'Is it in stock?');
    const [nura, ida] = [await inbox.named('Nura Hallebek'), await inbox.named('Ida Marloth')];
    const open = async (who: typeof nura) => (await inbox.inside(inbox.pathTo(null, '?view=unassigned'), { who })).page;
    const pages = [await open(nura), await open(ida)] as const;
    const served = await Promise.all([serve(pages[0], 'Yes, says Nura'), serve(pages[1], 'Yes, says Ida')]);
    expect(served.flat().sort()).toEqual(customers.map(({ name }) => name).sort());
    for (const { name, phone } of customers) {
      const { entries } = await timelineOf(inbox.account, phone);
      const answers = entries.filter(({ message }) => message?.direction === 'out');
      const by = served[0].includes(name) ? nura : ida;
      expect([name, answers.map(({ message }) => message?.sent_by?.user_id)]).toEqual([name, [by.userId]]);
    }
    // A colleague who was faster is an answer of the API that browsers write down.
    expect(browser.takeComplaints()).toEqual([]);
  });
});
