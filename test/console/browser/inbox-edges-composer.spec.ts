import type { Route } from 'playwright-core';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { ConsoleBrowser, untilFocused } from './console-browser.js';
import {
  button,
  composer,
  field,
  hold,
  INBOX_ENV,
  InboxPages,
  inThread,
  option,
  outgoing,
  posted,
  untilText,
  waiting,
} from './inbox-pages.js';

describe('the edges of the composer', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;
  let greeting: string;
  let news: string;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    pages = await InboxPages.start(world, browser);
    const body = {
      text: 'Hello {{1}}, your {{2}} is back. Shall we keep one?',
      examples: { '1': 'Ada', '2': 'apple tree' },
    };
    greeting = (await approvedTemplate(world, pages.account, { body })).name;
    news = (await approvedTemplate(world, pages.account, { body: { text: 'The bulbs are here' } })).name;
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  it('sends a template after a text that is still on its way, each of them once', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta));
    const letGo = await hold(page, '**/messages/send-message');
    await field(page).fill('The pots are in');
    await button(page, 'Send').click();
    await waiting(page).filter({ hasText: 'The pots are in' }).waitFor();
    await button(page, 'Choose a template').click();
    await option(page, news).click();
    await button(page, 'Send template').click();
    const busy = composer(page).getByRole('button', { name: 'Sending…', exact: true });
    await busy.waitFor();
    await busy.press('Enter');
    expect(await pages.sentTo(greta)).toEqual([]);
    letGo();
    await field(page).waitFor();
    for (const hasText of ['The pots are in', 'The bulbs are here']) await outgoing(page).filter({ hasText }).waitFor();
    await until('nothing is on its way', async () => (await waiting(page).count()) === 0);
    expect((await pages.sentTo(greta)).map(({ type }) => type)).toEqual(['text', 'template']);
    expect(await outgoing(page).allTextContents()).toEqual([
      expect.stringContaining('The pots are in'),
      expect.stringContaining('The bulbs are here'),
    ]);
    expect(await field(page).inputValue()).toBe('');
  });

  it('keeps a template for which a take-over is refused, and sends it without the text that somebody has begun', async () => {
    const dario = await pages.writer('Dario Pellacosta');
    const nura = await pages.named('Nura Hallebek');
    const olga = await pages.named('Olga Marenko');
    const ida = await pages.named('Ida Marloth');
    await pages.assigns(dario, nura);
    const { page } = await pages.inside(pages.pathTo(dario), { who: ida });
    const takeOver = button(page, 'Take over and send');
    await field(page).fill('Half a sentence');
    await composer(page).getByText('Nura Hallebek has this conversation. Your text stays here.').waitFor();
    await button(page, 'Choose a template').click();
    await option(page, greeting).click();
    const value = page.getByLabel('Value 2');
    await value.fill('apple tree');
    expect(await takeOver.count()).toBe(0);
    await button(page, 'Send template').click();
    await composer(page).getByText('Nura Hallebek has this conversation. Nothing was sent.').waitFor();
    expect((await pages.stateOf(dario)).assigned_to).toBe(nura.userId);
    // Another colleague is faster.
    const overtake = async (route: Route): Promise<void> => {
      await pages.assigns(dario, olga);
      await route.fulfill({ status: 409, json: { error: 'conflict', message: 'it is assigned to somebody else' } });
    };
    await page.route('**/assign', overtake, { times: 1 });
    await takeOver.click();
    await composer(page).getByText('Olga Marenko has this conversation. Nothing was sent.').waitFor();
    expect(await value.inputValue()).toBe('apple tree');
    await page.route(
      '**/messages/send',
      (route) => route.fulfill({ status: 422, json: { detail: 'the template is paused' } }),
      { times: 1 },
    );
    await takeOver.click();
    await composer(page).getByText('The template is paused.').waitFor();
    expect(await value.inputValue()).toBe('apple tree');
    expect(await waiting(page).count()).toBe(0);
    expect(await pages.sentTo(dario)).toEqual([]);
    // What the browser itself says of the answer.
    expect(browser.takeComplaints()).toEqual([expect.stringContaining('status of 422')]);
    // They have the conversation now.
    await pages.untilHeldBy(dario, ida);
    await button(page, 'Send template').click();
    await outgoing(page).filter({ hasText: 'Hello Dario, your apple tree is back' }).waitFor();
    await untilText(page, 'Half a sentence');
    expect(await pages.sentTo(dario)).toMatchObject([{ type: 'template', template: { name: greeting } }]);
  });

  it('takes over with the text alone where that is shown, and keeps the template that was begun', async () => {
    const wiktor = await pages.writer('Wiktor Zalenko');
    const [nura, ida] = [await pages.named('Nura Hallebek'), await pages.named('Ida Marloth')];
    await pages.assigns(wiktor, nura);
    const { page } = await pages.inside(pages.pathTo(wiktor), { who: ida });
    await button(page, 'Choose a template').click();
    await option(page, greeting).click();
    const value = page.getByLabel('Value 2');
    await value.fill('apple tree');
    await button(page, 'Send template').click();
    await button(page, 'Take over and send').waitFor();
    await button(page, 'Write a message instead').click();
    await field(page).fill('In April');
    await button(page, 'Take over and send').click();
    await outgoing(page).filter({ hasText: 'In April' }).waitFor();
    expect(await pages.sentTo(wiktor)).toMatchObject([{ type: 'text', text: { body: 'In April' } }]);
    await pages.untilHeldBy(wiktor, ida);
    await button(page, 'Choose a template').click();
    await until('the value is there', async () => (await value.inputValue()) === 'apple tree');
  });

  it('keeps why a text was not sent with it when a template and a note follow', async () => {
    const sana = await pages.writer('Sana Mirzavel');
    const { page } = await pages.inside(pages.pathTo(sana));
    await page.route('**/messages/send-message', (route) =>
      route.fulfill({ status: 400, json: { error: 'bad_request', message: 'the network refused it' } }),
    );
    const letGo = await hold(page, '**/messages/send-message');
    const reason = composer(page).getByText('Not sent: the network refused it.');
    await field(page).fill('The pots are in');
    await button(page, 'Send').click();
    await waiting(page).filter({ hasText: 'The pots are in' }).waitFor();
    await button(page, 'Choose a template').click();
    await option(page, news).click();
    await button(page, 'Send template').click();
    letGo();
    await outgoing(page).filter({ hasText: 'The bulbs are here' }).waitFor();
    await reason.waitFor();
    await untilText(page, 'The pots are in');
    await page.getByRole('radio', { name: 'Note' }).check();
    await page.getByRole('textbox', { name: 'Note, not sent' }).fill('Call her on Monday');
    // Beside another field, the reason says of which text it is.
    await composer(page).getByLabel('What it said').getByText('The pots are in').waitFor();
    await button(page, 'Add note').click();
    await inThread(page, 'Call her on Monday');
    await reason.waitFor();
    await page.getByRole('radio', { name: 'Message', checked: true }).waitFor();
    await page.unroute('**/messages/send-message');
    await button(page, 'Send').click();
    await outgoing(page).filter({ hasText: 'The pots are in' }).waitFor();
    await reason.waitFor({ state: 'detached' });
    expect((await pages.sentTo(sana)).map(({ type }) => type)).toEqual(['template', 'text']);
  });

  it('puts focus into the search of the templates by its letter, however late that comes', async () => {
    const tove = await pages.writer('Tove Rasmund');
    const { page } = await pages.inside(pages.pathTo(tove));
    const resolves = posted(page, '/resolve');
    const showPicker = await hold(page, '**/console/assets/template-picker-*.js');
    await field(page).waitFor();
    await page.keyboard.press('t');
    await button(page, 'Write a message instead').waitFor();
    // Meant for the search already.
    await page.keyboard.press('e');
    showPicker();
    await untilFocused(page, 'Search templates');
    expect(resolves).toEqual([]);
    await page.keyboard.press('Escape');
    await untilFocused(page, 'TEXTAREA');
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await untilFocused(page, 'Search templates');
    await page.keyboard.type('bulbs');
    await option(page, greeting).waitFor({ state: 'detached' });
    await option(page, news).waitFor();
  });

  it.each([
    ['emoji-picker', 'Add an emoji', 'The emoji', 'Find an emoji', null],
    ['template-picker', 'Choose a template', 'The templates', 'Search templates', 'Write a message instead'],
  ])('keeps the text when the file of the %s is missing, and says so', async (file, opens, what, search, leaves) => {
    const amina = await pages.writer('Amina Tessoude');
    const { page } = await pages.inside(pages.pathTo(amina));
    await page.route(`**/console/assets/${file}-*.js`, (route) =>
      route.fulfill({ status: 404, json: { error: 'not_found', message: 'gone' } }),
    );
    await field(page).fill('Half a sentence');
    await button(page, opens).click();
    await composer(page).getByText(`${what} didn’t load. Part of the page is missing.`).waitFor();
    // Where another attempt fails too it needs another page: the browser asks before the text is lost.
    let asks = '';
    page.once('dialog', (dialog) => {
      asks = dialog.type();
      void dialog.dismiss();
    });
    await button(page, 'Try again').click();
    await until('the browser asks', () => asks !== '');
    expect(asks).toBe('beforeunload');
    await page.unroute(`**/console/assets/${file}-*.js`);
    await button(page, 'Try again').click();
    await page.getByLabel(search).waitFor();
    // The button that had focus is gone.
    await untilFocused(page, leaves === null ? 'INPUT' : search);
    if (leaves === null) await page.keyboard.press('Escape');
    if (leaves !== null) await button(page, leaves).click();
    await untilText(page, 'Half a sentence');
    await button(page, 'Send').click();
    expect(await pages.untilSent(amina)).toMatchObject([{ type: 'text', text: { body: 'Half a sentence' } }]);
  });

  it('keeps a template that is being filled in when the person writes meanwhile', async () => {
    const rui = await pages.closed('Rui Almendro');
    const { page } = await pages.inside(pages.pathTo(rui));
    await option(page, greeting).click();
    const value = page.getByLabel('Value 2');
    await value.click();
    await page.keyboard.type('apple ');
    await pages.writes(rui, 'Are you there?');
    await button(page, 'Write a message instead').waitFor();
    await page.keyboard.type('tree');
    expect(await value.inputValue()).toBe('apple tree');
    await button(page, 'Send template').click();
    await outgoing(page).filter({ hasText: 'Hello Rui, your apple tree is back' }).waitFor();
    expect(await pages.untilSent(rui)).toMatchObject([{ type: 'template', template: { name: greeting } }]);
    // The window is open, so the next thing is a message.
    await field(page).waitFor();
  });
});
