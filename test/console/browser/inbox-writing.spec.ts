import type { Page, Route } from 'playwright-core';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { ConsoleBrowser, untilFocused } from './console-browser.js';
import {
  button,
  composer,
  field,
  INBOX_ENV,
  InboxPages,
  inThread,
  outgoing,
  posted,
  untilText,
  waiting,
} from './inbox-pages.js';

/** What is selected in the field that has focus. */
const selectedIn = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(
    document.activeElement)`);

const replies = (page: Page) => page.getByRole('combobox', { name: 'Find a saved reply' });

describe('what somebody writes', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    pages = await InboxPages.start(world, browser);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  it('inserts an emoji and a saved reply by keyboard, and asks about braces that are left', async () => {
    const chandra = await pages.writer('Chandra Velupan');
    const text = 'Hello {{first_name}}, we write to {{email}}';
    await pages.account.api.post('/api/v1/saved-replies', { name: 'Address', text });
    const { page } = await pages.inside(pages.pathTo(chandra));
    await field(page).press('/');
    await page.getByRole('combobox', { name: 'Find a saved reply' }).fill('addr');
    await page.keyboard.press('Enter');
    await composer(page).getByText('This person has no email.').waitFor();
    expect(await field(page).inputValue()).toBe('Hello Chandra, we write to {{email}}');
    await page.keyboard.press('Control+Enter');
    await composer(page).getByText('are not filled in').waitFor();
    await button(page, 'Fill it in').click();
    await untilFocused(page, 'TEXTAREA');
    await until('the variable is selected', async () => (await selectedIn(page)) === '{{email}}');
    await page.keyboard.type('you ');
    await button(page, 'Add an emoji').press('Enter');
    await page.getByRole('combobox', { name: 'Find an emoji' }).fill('tulip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    expect(await pages.untilSent(chandra)).toMatchObject([{ text: { body: 'Hello Chandra, we write to you 🌷' } }]);
  });

  it.each([
    ['that arrived', async (route: Route) => (await route.fetch()).status(), 200],
    ['that never arrived', async () => null, null],
  ])('is sent once where the answer to a message %s was lost', async (_, arrive, status) => {
    const lena = await pages.writer('Lena Torvik');
    const { page } = await pages.inside(pages.pathTo(lena));
    const asked = posted(page, '/messages/send-message');
    const answers: unknown[] = [];
    await page.route(
      '**/send-message',
      async (route) => {
        answers.push(await arrive(route));
        await route.abort();
      },
      { times: 1 },
    );
    await field(page).fill('On Friday');
    await button(page, 'Send').click();
    await outgoing(page).filter({ hasText: 'On Friday' }).waitFor();
    await until('nothing is on its way', async () => (await waiting(page).count()) === 0);
    await button(page, 'Send').waitFor();
    expect([answers, asked.length, (await pages.sentTo(lena)).length]).toEqual([[status], 2, 1]);
    expect(await composer(page).getByText('May have been').count()).toBe(0);
    expect(await field(page).inputValue()).toBe('');
    expect(browser.takeComplaints()).toEqual([expect.stringContaining('ERR_FAILED')]);
  });

  it('stays aside while nobody knows whether it was sent, and is sent once by another attempt', async () => {
    const tove = await pages.writer('Tove Arnhild');
    const { page } = await pages.inside(pages.pathTo(tove));
    await field(page).waitFor();
    await page.clock.install();
    const asked = posted(page, '/messages/send-message');
    await page.route('**/send-message', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
    await field(page).fill('On Friday');
    await button(page, 'Send').click();
    await until('it was repeated', () => asked.length >= 2);
    // By then it is not repeated by itself any more.
    await page.clock.fastForward('03:00');
    const line = composer(page).getByText('May have been sent: Parley has not answered.');
    await line.waitFor();
    await untilText(page, '');
    await composer(page).getByLabel('What it said').getByText('On Friday').waitFor();
    await page.unroute('**/send-message');
    // It was not: the text is that of the field again.
    await page.route('**/send-message', (route) =>
      route.fulfill({ status: 400, json: { error: 'bad_request', message: 'the network refused it' } }),
    );
    await button(page, 'Try again').click();
    await composer(page).getByText('Not sent: the network refused it.').waitFor();
    await line.waitFor({ state: 'detached' });
    await untilText(page, 'On Friday');
    await page.unroute('**/send-message');
    await button(page, 'Send').click();
    await outgoing(page).filter({ hasText: 'On Friday' }).waitFor();
    expect(await pages.sentTo(tove)).toHaveLength(1);
    for (const complaint of browser.takeComplaints()) expect(complaint).toMatch(/status of 502/);
  });

  it('is a message again once a note is added, but for another note that was begun', async () => {
    const petra = await pages.writer('Petra Ostwald');
    const { page } = await pages.inside(pages.pathTo(petra));
    await field(page).waitFor();
    await page.keyboard.press('m');
    await untilFocused(page, 'TEXTAREA');
    await page.keyboard.type('She calls on Monday');
    await page.keyboard.press('Control+Enter');
    await field(page).waitFor();
    await untilFocused(page, 'TEXTAREA');
    await page.keyboard.type('On Monday, then');
    await untilText(page, 'On Monday, then');
    await page.getByRole('radio', { name: 'Note' }).check();
    const note = page.getByRole('textbox', { name: 'Note, not sent' });
    await page.route('**/notes', async (route) => {
      await note.fill('And another one');
      await route.continue();
    });
    await note.fill('She has two gardens');
    await button(page, 'Add note').click();
    await inThread(page, 'She has two gardens');
    await button(page, 'Add note').waitFor();
    expect(await note.inputValue()).toBe('And another one');
    expect(await pages.sentTo(petra)).toEqual([]);
  });

  it('takes a saved reply where a word begins, which shows what the person would read', async () => {
    const own = await InboxPages.start(world, browser);
    const milo = await own.writer('Milo Brandner');
    const { page } = await own.inside(own.pathTo(milo));
    await field(page).press('/');
    await composer(page).getByText('There are no saved replies yet.').waitFor();
    const link = composer(page).getByRole('link', { name: 'Settings → Saved replies' });
    expect(await link.getAttribute('href')).toBe(`/console/${own.account.accountId}/settings/saved-replies`);
    await link.press('Escape');
    await replies(page).waitFor({ state: 'detached' });
    await own.account.api.post('/api/v1/saved-replies', { name: 'Greeting', text: 'Hello {{first_name}}' });
    await page.reload();
    await field(page).pressSequentially('https://shop.example/pots and/or trees');
    await untilText(page, 'https://shop.example/pots and/or trees');
    // A slash that a blank follows is one.
    await field(page).pressSequentially(' /');
    await replies(page).waitFor();
    await page.keyboard.press(' ');
    await untilText(page, 'https://shop.example/pots and/or trees / ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('/');
    await page.getByRole('option', { name: 'Greeting' }).getByText('Hello Milo').waitFor();
    // Only what has focus has a ring.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.compose .box')).boxShadow")).toBe('none');
    await page.keyboard.press('Enter');
    await untilText(page, 'https://shop.example/pots and/or trees / \nHello Milo');
    await untilFocused(page, 'TEXTAREA');
  });

  it('has tools that say their names once', async () => {
    const sana = await pages.writer('Sana Mirzavel');
    const { page } = await pages.inside(pages.pathTo(sana));
    for (const name of ['Attach a file', 'Add an emoji', 'Saved replies', 'Choose a template']) {
      expect(await button(page, name).getAttribute('aria-label')).toBeNull();
      expect(await button(page, name).getAttribute('title')).toBe(name);
    }
    const icon = (name: string) => button(page, name).locator('use').getAttribute('href');
    expect(await icon('Saved replies')).not.toBe('#i-reply');
  });
});
