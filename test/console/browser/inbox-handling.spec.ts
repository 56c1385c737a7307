import type { Page } from 'playwright-core';
import { type Member, PASSWORD } from '../../sessions/browser.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, heading, overflow, untilFocused } from './console-browser.js';
import {
  button,
  type Customer,
  composer,
  dialog,
  field,
  has,
  INBOX_ENV,
  InboxPages,
  inThread,
  option,
  posted,
} from './inbox-pages.js';

/** A phone, with and without its keyboard. */
const PHONES = [
  { width: 390, height: 844 },
  { width: 390, height: 500 },
];

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true });

describe('the inbox under the hand', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;
  let ida: Member;
  let nura: Member;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    pages = await InboxPages.start(world, browser, { phones: 2 });
    ida = await pages.named('Ida Marloth');
    nura = await pages.named('Nura Hallebek');
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const untilStatus = (customer: Customer, status: string): Promise<unknown> =>
    until(`${customer.name} is ${status}`, async () => (await pages.stateOf(customer)).status === status);

  it('resolves nobody with a second press in the same place, until the pointer has moved', async () => {
    const [greta, felix] = [await pages.writer('Greta Holmvik'), await pages.writer('Felix Narrowby')];
    for (const one of [greta, felix]) await pages.assigns(one, ida);
    const { page } = await pages.inside(pages.pathTo(felix), { who: ida });
    const resolves = posted(page, '/resolve');
    // Time stands still: a slow machine is no slow hand.
    await page.evaluate('performance.now = () => 100_000');
    const place = await button(page, 'Resolve').boundingBox();
    if (place === null) throw new Error('the button is not shown');
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await page.mouse.click(x, y);
    await heading(page, 'Greta Holmvik');
    await button(page, 'Resolve').waitFor();
    await page.mouse.click(x, y);
    await page.keyboard.press('e');
    await page.mouse.move(x - 60, y + 60);
    expect(resolves.length).toBe(1);
    await button(page, 'Resolve').click();
    await untilStatus(greta, 'resolved');
    expect(resolves.length).toBe(2);
  });

  it('takes back what was resolved, with a click or with a key, and gives it back to whoever had it', async () => {
    const [greta, felix] = [await pages.writer('Greta Holmvik'), await pages.writer('Felix Narrowby')];
    await pages.assigns(felix, nura);
    const { page } = await pages.inside(pages.pathTo(felix, '?view=all'), { who: ida });
    await has(page, 'Nura Hallebek');
    await button(page, 'Resolve').click();
    await heading(page, 'Greta Holmvik');
    await untilStatus(felix, 'resolved');
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    expect(await undo.getAttribute('aria-keyshortcuts')).toBe('Z');
    await undo.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Felix Narrowby');
    await page.getByText('Felix Narrowby is open again.').waitFor();
    await untilFocused(page, 'Felix Narrowby');
    await pages.untilHeldBy(felix, nura);
    expect((await pages.stateOf(felix)).status).toBe('open');
    expect(new URL(page.url()).search).toBe('?view=all');
    await page.goto(world.baseUrl + pages.pathTo(greta, '?view=all'));
    await has(page, 'Nobody');
    await page.keyboard.press('e');
    await untilStatus(greta, 'resolved');
    await undo.waitFor();
    await page.keyboard.press('z');
    await heading(page, 'Greta Holmvik');
    await has(page, 'Nobody');
    await until('nobody has it, and it is open', async () => {
      const { status, assigned_to } = await pages.stateOf(greta);
      return status === 'open' && assigned_to === null;
    });
  });

  it('names its keys on its buttons, and lists all of them with where they mean something', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta), { who: ida });
    await has(page, 'Nobody');
    const hints = async (name: string): Promise<(string | null)[]> =>
      Promise.all(['title', 'aria-keyshortcuts'].map((attribute) => button(page, name).getAttribute(attribute)));
    expect(await hints('Take')).toEqual(['Take (Shift A)', 'Shift+A']);
    expect(await hints('Resolve')).toEqual(['Resolve (E)', 'E']);
    expect(await hints('Assigned to: Nobody. Change')).toEqual(['Assign (A)', 'A']);
    await nav(page).getByRole('button', { name: 'Keyboard shortcuts' }).click();
    const rows = (title: string) => dialog(page).locator('section', { hasText: title });
    await rows('In an open conversation').getByText('On this page').waitFor();
    const text = await rows('In an open conversation').innerText();
    for (const key of ['R', 'M', 'T', 'A', 'Shift A', 'E', 'O', 'Z']) expect(text.split('\n')).toContain(key);
    expect(await rows('While you write').innerText()).toMatch(/Send\s+Ctrl Enter\s+New line\s+Enter/);
    expect(await rows('In a campaign').getByText('On this page').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    await page.goto(`${world.baseUrl}/console/${pages.account.accountId}/settings/inbox`);
    await page.getByLabel('Enter sends').check();
    await page.setViewportSize({ width: 1440, height: 800 });
    await nav(page).getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await rows('While you write').waitFor();
    expect(await rows('While you write').innerText()).toMatch(/Send\s+Enter\s+New line\s+Shift Enter/);
    expect(await rows('In an open conversation').getByText('Resolve and go on').count()).toBe(1);
  });

  it.each(PHONES)('gives a thread all of a phone, %j', async (viewport) => {
    const greta = pages.customer('Greta Holmvik');
    await pages.writes(greta, ...Array.from({ length: 12 }, (_, at) => `One pot of ${at + 1} arrived cracked.`));
    const { page } = await pages.inside(pages.pathTo(greta), { who: ida, viewport, hasTouch: true, isMobile: true });
    await inThread(page, 'One pot of 12 arrived cracked.');
    await field(page).fill('Sorry to hear that.');
    await until('the newest message is above the composer, and all of it is seen', () =>
      page.evaluate<boolean>(`(() => {
        const box = (what) => document.querySelector(what).getBoundingClientRect();
        const [last, log, compose] = [[...document.querySelectorAll('[role="log"] .msg')].at(-1).getBoundingClientRect(),
          box('[role="log"]'), box('.compose')];
        const { scrollHeight } = document.documentElement;
        return last.height > 0 && last.top >= log.top && last.bottom <= compose.top + 1 && log.bottom <= compose.top + 1 &&
          compose.bottom <= innerHeight && scrollHeight <= innerHeight;
      })()`),
    );
    expect(await page.locator('.tabbar').isVisible()).toBe(false);
    expect(await page.locator('.topbar').isVisible()).toBe(false);
    const word = page.locator('.thread-head .take .t');
    expect((await word.boundingBox())?.width).toBeGreaterThan(20);
    await button(page, 'Take').click();
    await has(page, 'You');
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await pages.untilSent(greta);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.locator('.tabbar').waitFor();
  });

  it.each(PHONES)('keeps the button that sends a template within reach, %j', async (viewport) => {
    const { name } = await approvedTemplate(world, pages.account, {
      body: {
        text: 'Hello {{1}}, your {{2}} and your {{3}} are back. Shall we keep one of each for you until {{4}}? Yours.',
        examples: { '1': 'Ada', '2': 'apple tree', '3': 'pear tree', '4': 'Friday' },
      },
    });
    const customer = await pages.closed('Wiktor Zalenko');
    const { page } = await pages.inside(pages.pathTo(customer), { who: ida, viewport, hasTouch: true, isMobile: true });
    await option(page, name).click();
    await until('the button is in sight', () =>
      page.evaluate<boolean>(`(() => {
        const send = document.querySelector('.picker form [type="submit"]');
        const { x, y, width, height, bottom } = send.getBoundingClientRect();
        const there = document.elementFromPoint(x + width / 2, y + height / 2);
        return bottom <= innerHeight && there !== null && send.contains(there);
      })()`),
    );
  });

  it.each([1024, 800])('lets one go on in the thread while the details are shown, %i', async (width) => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta), { who: ida, viewport: { width, height: 800 } });
    await has(page, 'Nobody');
    await button(page, 'Details').click();
    await dialog(page).getByRole('button', { name: 'Edit Greta Holmvik' }).waitFor();
    expect(await page.evaluate('document.querySelector("dialog:modal")')).toBe(null);
    expect((await dialog(page).boundingBox())?.width).toBeLessThanOrEqual(280);
    await page.keyboard.press('Shift+A');
    await has(page, 'You');
    await field(page).fill('Sorry to hear that.');
    expect(await dialog(page).count()).toBe(1);
    await page.keyboard.press('Control+Enter');
    await pages.untilSent(greta);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await heading(page, 'Greta Holmvik');
    expect(await overflow(page)).toBe(0);
  });

  it.each([1024, 800])('lays the details beside the thread, %i', async (width) => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta), { who: ida, viewport: { width, height: 800 } });
    await button(page, 'Details').click();
    await dialog(page).waitFor();
    const [thread, side] = [await page.locator('.thread').boundingBox(), await dialog(page).boundingBox()];
    expect((thread?.x ?? 0) + (thread?.width ?? 0)).toBeLessThanOrEqual((side?.x ?? 0) + 1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('finds somebody by name who never wrote, and writes to their number', async () => {
    const { name } = await approvedTemplate(world, pages.account);
    const tove = pages.customer('Tove Arnhild');
    const person = { phone_number: tove.phone, first_name: 'Tove', last_name: 'Arnhild' };
    expect((await pages.account.api.post('/api/v1/contacts/', person)).status).toBe(201);
    const { page } = await pages.inside(pages.pathTo(), { who: ida });
    await page.getByRole('button', { name: 'New conversation' }).first().click();
    const whom = dialog(page).getByRole('combobox', { name: 'Number, or name' });
    await whom.fill('Nobody at all');
    await dialog(page).getByText('Nobody with a number is called “Nobody at all”.').waitFor();
    await whom.fill('arnh');
    await dialog(page)
      .getByRole('option', { name: /^Tove Arnhild \+/ })
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('This is Tove Arnhild.').waitFor();
    expect((await whom.inputValue()).replace(/\D/g, '')).toBe(tove.phone);
    await dialog(page)
      .getByRole('option', { name: new RegExp(name) })
      .click();
    await dialog(page).getByRole('button', { name: 'Send template' }).click();
    await pages.untilSent(tove);
    await page.waitForURL(`**/inbox/${tove.phone}/*`);
  });

  it('leads back to where somebody was, until they sign out', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(null, '?view=all'), { who: ida });
    await page.getByRole('link', { name: /Greta Holmvik/ }).click();
    await heading(page, 'Greta Holmvik');
    const place = page.url();
    expect(place).toBe(world.baseUrl + pages.pathTo(greta, '?view=all'));
    await nav(page).getByRole('link', { name: 'Settings', exact: true }).click();
    await heading(page, 'You');
    await nav(page)
      .getByRole('link', { name: /^Inbox/ })
      .click();
    await heading(page, 'Greta Holmvik');
    expect(page.url()).toBe(place);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'You');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await heading(page, 'Greta Holmvik');
    expect(page.url()).toBe(place);
    // From the screen itself it leads to its beginning.
    await nav(page)
      .getByRole('link', { name: /^Inbox/ })
      .click();
    await heading(page, 'Inbox');
    expect(page.url()).toBe(world.baseUrl + pages.pathTo());
    await page.goBack();
    await heading(page, 'Greta Holmvik');
    await nav(page).getByRole('link', { name: 'Settings', exact: true }).click();
    await heading(page, 'You');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(page, 'Sign in');
    await page.getByLabel('Email').fill(nura.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Inbox');
    expect(page.url()).toBe(world.baseUrl + pages.pathTo());
  });

  it('shows to which number of ours somebody writes, whole', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta), { who: ida });
    await has(page, 'Nobody');
    const { body } = await pages.account.api.get<{ business_phones: { waba_phone_id: string; phone: string }[] }>(
      '/api/v1/business-phones',
    );
    const ours = body.business_phones.find(({ waba_phone_id }) => waba_phone_id === pages.account.phone.id)?.phone;
    const shown = page.locator('.thread-head bdi', { hasText: /^to \+/ });
    for (const width of [1440, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, (await shown.innerText()).replace(/\D/g, '')]).toEqual([width, ours]);
      const isWhole = `(() => {
        const [to] = [...document.querySelectorAll('.thread-head bdi')].slice(-1);
        const [inner, outer] = [to.getBoundingClientRect(), to.closest('.grow').getBoundingClientRect()];
        return inner.width > 0 && inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
      })()`;
      expect([width, await page.evaluate(isWhole)]).toEqual([width, true]);
    }
  });
});
