import type { Locator, Page, Route } from 'playwright-core';
import { report } from '../../messages/messages.js';
import { SAMPLES } from '../../support/media-samples.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, focused, heading, untilFocused } from './console-browser.js';
import {
  button,
  type Customer,
  composer,
  field,
  INBOX_ENV,
  InboxPages,
  inThread,
  list,
  waiting,
} from './inbox-pages.js';

interface Box {
  readonly x: number;
  readonly right: number;
}

describe('the edges of the list of conversations', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let inbox: InboxPages;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    inbox = await InboxPages.start(world, browser);
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const rowOf = (page: Page, name: string): Locator => list(page).getByRole('link').filter({ hasText: name });
  const untilNames = (page: Page, ...wanted: string[]): Promise<unknown> =>
    until(`the list has ${wanted.join()}`, async () => {
      return (await list(page).locator('.who').allTextContents()).join() === wanted.join();
    });
  const sends = async ({ phone }: Customer, text: string): Promise<void> => {
    const body = { contact_phone: phone, message_type: 'text', message: text };
    const { status } = await inbox.account.api.post('/api/v1/messages/send-message', body);
    expect(status).toBeLessThan(300);
  };
  const resolves = async ({ phone }: Customer): Promise<void> => {
    const { status } = await inbox.account.api.post(`/api/v1/conversations/${phone}/resolve`, {});
    expect(status).toBe(200);
  };
  const byWaiting = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Order: Last to write first' }).click();
    await page.getByRole('menuitemradio', { name: 'Longest waiting' }).click();
  };

  it('says which conversations the order by waiting leaves out, and shows them when asked', async () => {
    const [who, greta] = [await inbox.member(), await inbox.writer('Greta Holmvik')];
    await inbox.assigns(greta, who);
    await sends(greta, 'It is');
    await until('nobody waits', async () => (await inbox.stateOf(greta)).waiting_since === null);
    const { page } = await inbox.inside(inbox.pathTo(), { who });
    await untilNames(page, 'Greta Holmvik');
    const leftOut = list(page).getByText('Conversations in which nobody waits are not shown.');
    expect(await leftOut.count()).toBe(0);
    await byWaiting(page);
    await list(page).getByText('Nobody waits for you.').waitFor();
    await leftOut.waitFor();
    await page.getByRole('link', { name: 'Mine, 0 waiting' }).waitFor();

    const sana = await inbox.writer('Sana Mirzavel');
    await inbox.assigns(sana, who);
    await untilNames(page, 'Sana Mirzavel');
    await leftOut.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Show all, newest first').click();
    await untilNames(page, 'Sana Mirzavel', 'Greta Holmvik');
    await untilFocused(page, 'Inbox');
    expect(await leftOut.count()).toBe(0);
    await page.getByRole('button', { name: 'Order: Last to write first' }).waitFor();
  });

  it('offers what other views have of a search, with two requests', async () => {
    const who = await inbox.member();
    const [first, second, third] = [
      await inbox.writer('Greta Holmvik'),
      await inbox.writer('Greta Lindqvist'),
      await inbox.writer('Greta Marloth'),
    ];
    await resolves(third);
    const { page } = await inbox.inside(inbox.pathTo(), { who });
    const counted: string[] = [];
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url());
      if (searchParams.get('limit') === '1' && searchParams.has('search')) counted.push(request.url());
    });
    await page.getByRole('searchbox').fill('greta');
    await list(page).getByText('No conversation in Mine matches.').waitFor();
    await list(page).getByText('Only names and numbers are searched.').waitFor();
    await list(page).getByRole('link', { name: '1 in Resolved' }).waitFor();
    await list(page).getByRole('link', { name: '2 in All' }).waitFor();
    expect(counted).toHaveLength(2);
    await list(page).getByRole('link', { name: '2 in All' }).click();
    await untilNames(page, 'Greta Lindqvist', 'Greta Holmvik');
    await untilFocused(page, 'Inbox');
    expect(new URL(page.url()).search).toBe('?search=greta&view=all');
    await list(page).getByRole('link', { name: '1 in Resolved' }).waitFor();

    await inbox.assigns(first, who);
    await page.goto(world.baseUrl + inbox.pathTo(null, '?search=greta'));
    await untilNames(page, 'Greta Holmvik');
    await list(page).getByRole('link', { name: '2 in All' }).waitFor();
    await inbox.assigns(second, who);
    await page.goto(world.baseUrl + inbox.pathTo(null, '?search=greta'));
    await list(page).getByRole('link', { name: '1 in Resolved' }).click();
    await untilNames(page, 'Greta Marloth');
  });

  it('shows the time of what people wrote where that gives the order', async () => {
    const [greta, wiktor] = [await inbox.writer('Greta Holmvik'), await inbox.closed('Wiktor Zalenko')];
    const { page } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Greta Holmvik', 'Wiktor Zalenko');
    const time = rowOf(page, 'Wiktor').locator('time');
    const { window_expires_at, last_message_at } = await inbox.stateOf(wiktor);
    const wrote = new Date(Date.parse(window_expires_at ?? '') - 86_400_000).toISOString();
    expect(await time.getAttribute('datetime')).toBe(wrote);
    expect(await time.getAttribute('title')).toMatch(/^Last wrote: /);
    expect(await time.textContent()).toMatch(/^Last wrote: /);
    expect(Date.parse(wrote)).toBeLessThan(Date.parse((await inbox.stateOf(greta)).last_message_at ?? ''));
    await byWaiting(page);
    await rowOf(page, 'Wiktor').locator(`time[datetime="${last_message_at}"]`).waitFor();
    expect(await time.getAttribute('title')).not.toContain('Last wrote');
  });

  it('says what became of a message as the thread does, also of one that the list has lost', async () => {
    const who = await inbox.member();
    const [failing, greta] = [
      { name: 'Wiktor Zalenko', phone: `49${String(Date.now()).slice(-6)}9990001` },
      { name: 'Greta Holmvik', phone: `49${String(Date.now()).slice(-6)}9990015` },
    ];
    for (const customer of [failing, greta]) {
      await inbox.writes(customer, 'Is it in stock?');
      await inbox.assigns(customer, who);
      await sends(customer, 'It is');
    }
    const { page } = await inbox.inside(inbox.pathTo(failing), { who });
    await rowOf(page, 'Wiktor').getByText('Not delivered').waitFor();
    await inThread(page, /^Not delivered\. /);
    await page.getByRole('log').locator('.ticks').getByText('Not delivered').waitFor({ state: 'attached' });

    const row = rowOf(page, 'Greta');
    await row.getByText('Sent', { exact: true }).waitFor();
    await row.click();
    await heading(page, 'Greta Holmvik');
    // Under a hand, the row stays where it is.
    await list(page).locator('.list-body').hover();
    await resolves(greta);
    await inThread(page, /resolved this|Resolved automatically/);
    const [accepted] = (await world.simulator.ledger(inbox.account.phone.phoneNumberId)).filter(
      ({ to }) => to === greta.phone,
    );
    expect(await report(world, inbox.account.phone.phoneNumberId, { id: accepted?.id ?? '', status: 'read' })).toBe(
      200,
    );
    await row.getByText('Read', { exact: true }).waitFor();
  });

  it('shows what somebody has begun to write elsewhere', async () => {
    const [sana, greta] = [await inbox.writer('Sana Mirzavel'), await inbox.writer('Greta Holmvik')];
    const { page } = await inbox.inside(inbox.pathTo(greta, '?view=all'));
    const row = rowOf(page, 'Greta');
    await field(page).fill('Blue ones are');
    await rowOf(page, 'Sana').click();
    await heading(page, sana.name);
    await row.getByText('Draft: Blue ones are').waitFor();
    await row.click();
    await heading(page, greta.name);
    await row.getByText('Is it in stock?').waitFor();
    await field(page).fill('');
    await rowOf(page, 'Sana').click();
    await heading(page, sana.name);
    await row.getByText('Is it in stock?').waitFor();
    expect(await list(page).getByText('Draft:').count()).toBe(0);
    await row.click();
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'pot.png', mimeType: 'image/png', buffer: SAMPLES.PNG });
    await rowOf(page, 'Sana').click();
    await row.getByText('Draft: pot.png').waitFor();
  });

  it('shows what is on its way elsewhere, and that it was refused', async () => {
    const [sana, greta] = [await inbox.writer('Sana Mirzavel'), await inbox.writer('Greta Holmvik')];
    const { page } = await inbox.inside(inbox.pathTo(greta, '?view=all'));
    const row = rowOf(page, 'Greta');
    const requests: Route[] = [];
    await page.route('**/send-message', (route) => void requests.push(route));
    await heading(page, greta.name);
    await field(page).fill('It is.');
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await until('it is on its way', () => requests.length === 1);
    await rowOf(page, 'Sana').click();
    await heading(page, sana.name);
    await row.getByText('Sending: It is.').waitFor();
    await row.click();
    await heading(page, greta.name);
    await waiting(page).getByText('It is.').waitFor();
    await rowOf(page, 'Sana').click();
    await heading(page, sana.name);
    await inbox.closes(greta);
    await requests[0]?.continue();
    await row.getByText('Not sent: It is.').waitFor();
    await row.click();
    await heading(page, greta.name);
    await composer(page).getByText('Not sent: ').waitFor();
    expect(await waiting(page).count()).toBe(0);
  });

  it('has its tabs on one line and everything of a row in sight, also where there is little room', async () => {
    const nura = await inbox.named('Nura Hallebek');
    const customers = [await inbox.writer('Sana Mirzavel'), await inbox.writer('سناء المرزوقي')];
    await inbox.assigns(customers[0] as Customer, nura);
    for (const name of ['Oren Castlebay', 'Felix Narrowby', 'Petra Ostwald']) await inbox.writer(name);
    const { page } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await page.getByRole('link', { name: 'Unassigned, 4 open' }).waitFor();
    await page.locator('.search [aria-hidden="true"] kbd').waitFor();
    for (const width of [1440, 1024, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await page.evaluate<number[]>(
        "[...document.querySelectorAll('.list .tabs a')].map((one) => one.getBoundingClientRect().top)",
      );
      expect([width, new Set(tops).size]).toEqual([width, 1]);
      const holder = rowOf(page, 'Sana').getByTitle('Assigned to Nura Hallebek');
      expect(await holder.locator('[aria-hidden="true"]').innerText()).toBe('NH');
      const cut = await rowOf(page, 'Sana')
        .locator('.meta')
        .evaluate((meta) => meta.scrollWidth - meta.clientWidth);
      expect([width, cut]).toEqual([width, 0]);
      for (const direction of ['ltr', 'rtl']) {
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        const at = (name: string, part: string): Promise<Box> => boxOf(rowOf(page, name).locator(part));
        for (const name of ['Sana', 'سناء']) {
          const [picture, who] = [await at(name, '.avatar'), await at(name, '.who')];
          const gap = direction === 'ltr' ? who.x - picture.right : picture.x - who.right;
          expect({ width, direction, name, isBeside: gap >= 0 && gap < 16 }).toEqual({
            width,
            direction,
            name,
            isBeside: true,
          });
        }
      }
      await page.evaluate("document.documentElement.dir = 'ltr'");
    }
  });

  it('is one stop of Tab, and letters begin at the open thread', async () => {
    const names = ['Sana Mirzavel', 'Greta Holmvik', 'Dario Pellacosta', 'Oren Castlebay'];
    const customers: Customer[] = [];
    for (const name of names) customers.push(await inbox.writer(name));
    const { page } = await inbox.inside(inbox.pathTo(customers[1] ?? null, '?view=all'));
    await untilNames(page, ...names.toReversed());
    await heading(page, 'Greta Holmvik');
    const isOn = (name: string): Promise<unknown> =>
      until(`focus is on ${name}`, async () => (await focused(page)).includes(name));
    const stops = list(page).locator('.rows a[tabindex="0"]');
    await stops.filter({ hasText: 'Greta' }).waitFor();
    await page.getByRole('link', { name: 'Resolved' }).focus();
    await page.keyboard.press('Tab');
    await isOn('Greta Holmvik');
    await page.keyboard.press('ArrowUp');
    await isOn('Dario Pellacosta');
    expect(await stops.count()).toBe(1);
    await page.keyboard.press('Tab');
    await until('focus has left the list', () =>
      page.evaluate<boolean>("document.activeElement.closest('.list') === null"),
    );
    await stops.filter({ hasText: 'Greta' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await isOn('Greta Holmvik');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('j');
    await isOn('Sana Mirzavel');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('k');
    await isOn('Dario Pellacosta');
  });
});

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { x: box.x, right: box.x + box.width };
}
