import type { Page, Route } from 'playwright-core';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, overflow, untilFocused } from './console-browser.js';
import { actions, button, type Customer, composer, field, INBOX_ENV, InboxPages, inThread } from './inbox-pages.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PICTURE = { name: 'pot.png', mimeType: 'image/png', buffer: PNG };

/** What the field that has focus is described with. */
const DESCRIPTION = `document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent.trim()`;

const reply = async (page: Page): Promise<void> => {
  await actions(page).first().click();
  await page.getByRole('menuitem', { name: 'Reply' }).click();
};

describe('the composer', () => {
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

  const moveWindow = async ({ phone }: Customer, interval: string): Promise<void> => {
    const moved = await world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_inbound_at = last_inbound_at - $3::interval
       WHERE account_id = $1 AND contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2)`,
      [pages.account.accountId, phone, interval],
    );
    expect(moved).toBe(1);
  };

  it('answers by keyboard alone, which takes the thread', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const who = await pages.member();
    const { page } = await pages.inside(pages.pathTo(greta), { who });
    await composer(page)
      .getByText(/^Write freely until /)
      .waitFor();
    await page.keyboard.press('r');
    await untilFocused(page, 'TEXTAREA');
    await composer(page).getByText('Ctrl Enter', { exact: true }).waitFor();
    expect(await page.evaluate(DESCRIPTION)).toMatch(/^Write freely until /);
    await page.keyboard.type('Yes');
    await page.keyboard.press('Enter');
    await page.keyboard.type('In blue');
    await page.keyboard.press('Control+Enter');
    await inThread(page, 'In blue');
    expect(await pages.untilSent(greta)).toMatchObject([{ type: 'text', text: { body: 'Yes\nIn blue' } }]);
    expect(await pages.stateOf(greta)).toMatchObject({ assigned_to: who.userId });
    await until('the field is empty', async () => (await field(page).inputValue()) === '');
    await untilFocused(page, 'TEXTAREA');
  });

  it('does not answer what a colleague has, keeps the text, and takes over when asked to', async () => {
    const dario = await pages.writer('Dario Pellacosta');
    const nura = await pages.named('Nura Hallebek');
    const who = await pages.named('Ida Marloth');
    const { page } = await pages.inside(pages.pathTo(dario), { who });
    // The colleague is faster than what the page knows.
    const overtake = async (route: Route): Promise<void> => {
      await pages.assigns(dario, nura);
      await route.continue();
    };
    await page.route('**/assign', overtake, { times: 1 });
    await field(page).fill('It is 2.4 m');
    await button(page, 'Send').click();
    const held = composer(page).getByText('Nura Hallebek has this conversation. Nothing was sent.');
    await held.waitFor();
    expect(await field(page).inputValue()).toBe('It is 2.4 m');
    await page.keyboard.press('Control+Enter');
    expect(await pages.sentTo(dario)).toEqual([]);
    // It goes with the text that it is about.
    await field(page).fill('');
    await held.waitFor({ state: 'detached' });
    await field(page).fill('It is 2.4 m');
    await composer(page).getByText('Nura Hallebek has this conversation. Your text stays here.').waitFor();
    await button(page, 'Take over and send').click();
    await inThread(page, 'It is 2.4 m');
    expect(await pages.untilSent(dario)).toHaveLength(1);
    expect(await pages.stateOf(dario)).toMatchObject({ assigned_to: who.userId });
  });

  it('reopens a resolved conversation to answer it', async () => {
    const amina = await pages.writer('Amina Tessoude');
    await pages.account.api.post(`/api/v1/conversations/${amina.phone}/resolve`, {});
    const who = await pages.member();
    const { page } = await pages.inside(pages.pathTo(amina), { who });
    await field(page).fill('It left this morning');
    await button(page, 'Reopen and answer').click();
    await button(page, 'Send').waitFor();
    expect(await pages.untilSent(amina)).toHaveLength(1);
    expect(await pages.stateOf(amina)).toMatchObject({ assigned_to: who.userId, status: 'open' });
  });

  it('shows templates in place of the field once the window is closed, and still takes notes', async () => {
    const { name } = await approvedTemplate(world, pages.account, { body: { text: 'The trees are back' } });
    const wiktor = await pages.closed('Wiktor Zalenko');
    const { page } = await pages.inside(pages.pathTo(wiktor));
    await composer(page).getByText('The window is closed.').waitFor();
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('m');
    await untilFocused(page, 'TEXTAREA');
    await page.keyboard.type('Call him on Monday');
    await page.keyboard.press('Control+Enter');
    await inThread(page, 'Call him on Monday');
    expect(await pages.stateOf(wiktor)).toMatchObject({ assigned_to: null });
    // A note goes back to what the person gets.
    await untilFocused(page, 'Search templates');
    await page.getByRole('option', { name }).click();
    await composer(page).getByRole('button', { name: /^Send/ }).click();
    expect(await pages.untilSent(wiktor)).toMatchObject([{ type: 'template' }]);
  });

  it('quotes a message until Escape drops it', async () => {
    const sana = pages.customer('Sana Mirzavel');
    const [id] = await pages.writes(sana, 'Are the tulips in too?');
    const { page } = await pages.inside(pages.pathTo(sana));
    const quote = composer(page).getByText('Answers Sana Mirzavel');
    await inThread(page, 'Are the tulips in too?');
    await reply(page);
    await quote.waitFor();
    await field(page).press('Escape');
    await quote.waitFor({ state: 'detached' });
    await reply(page);
    await field(page).fill('They are');
    await button(page, 'Send').click();
    expect(await pages.untilSent(sana)).toMatchObject([{ context: { message_id: id }, text: { body: 'They are' } }]);
    await quote.waitFor({ state: 'detached' });
  });

  it('sends files with a caption, and refuses those that the network does not take', async () => {
    const felix = await pages.writer('Felix Narrowby');
    const { page } = await pages.inside(pages.pathTo(felix));
    await field(page).waitFor();
    await page
      .locator('input[type="file"]')
      .setInputFiles([
        PICTURE,
        { name: 'site.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') },
        { name: 'wall.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 1) },
      ]);
    await composer(page).getByText('site.zip: this kind of file can’t be sent.').waitFor();
    await composer(page).getByText('wall.png: too large. An image may have at most 5 MB.').waitFor();
    // A second one is dropped onto the thread.
    await page.evaluate(`(() => {
      const log = document.querySelector('[role=log]');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['Plant them in spring.'], 'care.txt', { type: 'text/plain' }));
      for (const type of ['dragenter', 'drop']) {
        log.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    })()`);
    const files = page.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
    for (const hasText of ['pot.png', 'care.txt']) await files.filter({ hasText }).getByText('Ready').waitFor();
    await field(page).fill('This pot');
    await button(page, 'Send').click();
    expect(await pages.untilSent(felix, 2)).toMatchObject([
      { type: 'image', image: { caption: 'This pot' } },
      { type: 'document', document: { filename: 'care.txt' } },
    ]);
    await files.first().waitFor({ state: 'detached' });
    // The page’s check knows the name alone; the service reads the bytes.
    await page.locator('input[type="file"]').setInputFiles({ ...PICTURE, name: 'no.png', buffer: Buffer.from('no') });
    await composer(page)
      .getByText(/but was sent as image\/png/)
      .waitFor();
    await button(page, 'Remove no.png').click();
    await files.first().waitFor({ state: 'detached' });
  });

  it('keeps the text when the window closes meanwhile, and warns before', async () => {
    const rui = await pages.writer('Rui Almendro');
    await pages.assigns(rui, await pages.named('Nura Hallebek'));
    const { page } = await pages.inside(pages.pathTo(rui));
    await field(page).fill('It comes on');
    await button(page, 'Take over and send').waitFor();
    await moveWindow(rui, '22 hours 30 minutes');
    await composer(page)
      .locator('.window.soon')
      .getByText(/^Write freely until .*, 1 h \d+ min$/)
      .waitFor();
    await moveWindow(rui, '1 hour 25 minutes');
    await composer(page)
      .getByText(/^The window closes at .*, in \d min$/)
      .waitFor();
    await moveWindow(rui, '1 hour');
    await composer(page).getByText('The window closed while you were writing.').waitFor();
    const kept = page.getByRole('textbox', { name: 'Your text, not sent' });
    expect(await kept.inputValue()).toBe('It comes on');
    // It can’t be sent any more, whoever has the conversation.
    await button(page, 'Take over and send').waitFor({ state: 'detached' });
    await button(page, 'Discard the text').click();
    await kept.waitFor({ state: 'detached' });
    expect(await pages.sentTo(rui)).toEqual([]);
  });

  it('sends nothing without a connection, and by Enter where that is preferred', async () => {
    const tove = await pages.writer('Tove Rasmund');
    const { page, context } = await pages.inside(pages.pathTo(tove));
    await page.evaluate("localStorage.setItem('parley.enter-sends', 'on')");
    await page.reload();
    await field(page).fill('One');
    await composer(page).getByText('Enter', { exact: true }).waitFor();
    await context.setOffline(true);
    await button(page, 'Offline').waitFor();
    await field(page).press('Enter');
    expect(await field(page).inputValue()).toBe('One');
    await context.setOffline(false);
    await button(page, 'Send').waitFor();
    await field(page).press('Control+Enter');
    await field(page).pressSequentially('two');
    await field(page).press('Enter');
    expect(await pages.untilSent(tove)).toMatchObject([{ text: { body: 'One\ntwo' } }]);
    for (const complaint of browser.takeComplaints()) expect(complaint).toMatch(/ERR_INTERNET_DISCONNECTED/);
  });

  it('keeps the text of each thread, and nothing in storage', async () => {
    const [one, other] = [await pages.writer('Petra Ostwald'), await pages.writer('Milo Brandner')];
    const { page } = await pages.inside(pages.pathTo(one, '?view=unassigned'));
    await field(page).fill('Half a sentence');
    await page.getByRole('link', { name: /Milo Brandner/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Milo Brandner' }).waitFor();
    await until('the field is empty', async () => (await field(page).inputValue()) === '');
    await page.getByRole('link', { name: /Petra Ostwald/ }).click();
    await until('the text is back', async () => (await field(page).inputValue()) === 'Half a sentence');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toMatch(
      new RegExp(`Half a|${one.phone}|${other.phone}`),
    );
  });

  it.each([1440, 768, 360, 320])('fits %i px, in both themes', async (width) => {
    const ada = await pages.writer('Ada Quillon');
    const options = { viewport: { width, height: 800 }, reducedMotion: 'reduce' } as const;
    const { page } = await pages.inside(pages.pathTo(ada), options);
    await field(page).fill('Lovely choice. '.repeat(20));
    await page.locator('input[type="file"]').setInputFiles(PICTURE);
    await composer(page).getByText('Ready').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
    }
    await button(page, 'Saved replies').click();
    await page.getByRole('combobox').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
