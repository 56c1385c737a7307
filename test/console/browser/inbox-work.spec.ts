import type { Page } from 'playwright-core';
import type { Member } from '../../sessions/browser.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, heading, overflow, untilFocused, violationsAt } from './console-browser.js';
import { type Customer, has, INBOX_ENV, InboxPages, inThread } from './inbox-pages.js';

/** A browser that asks nobody and shows nothing, and a page that can be hidden. */
const HIDES_AND_NOTIFIES = `
  globalThis.shown = [];
  globalThis.answer = 'granted';
  globalThis.Notification = class {
    static permission = 'granted';
    static async requestPermission() { return answer; }
    constructor(title, options) { Object.assign(this, options, { title }); shown.push(this); }
    close() {}
  };
  globalThis.hide = () => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  };
`;

describe('working on conversations', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;
  let ida: Member;
  let nura: Member;
  let greta: Customer;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    pages = await InboxPages.start(world, browser);
    ida = await pages.named('Ida Marloth');
    nura = await pages.named('Nura Hallebek');
    greta = pages.customer('Greta Holmvik');
    await pages.writes(greta, 'One pot arrived cracked.');
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const at = (customer: Customer, who: Member, options: object = {}) =>
    pages.inside(pages.pathTo(customer), { who, ...options });
  const press = (page: Page, name: string): Promise<void> =>
    page.locator('.thread-head').getByRole('button', { name }).click();
  const listHasFocus = (page: Page): Promise<unknown> =>
    until('the list has focus', () => page.evaluate<boolean>("document.activeElement.role === 'listbox'"));
  it('takes a conversation, and hands it over with a note, which the other sees at once', async () => {
    const [mine, theirs] = [await at(greta, ida), await at(greta, nura)];
    await has(mine.page, 'Nobody');
    await press(mine.page, 'Take');
    await has(mine.page, 'You');
    await has(theirs.page, 'Ida Marloth');
    expect([await axeViolations(mine.page), await axeViolations(theirs.page)]).toEqual([[], []]);
    expect(await pages.stateOf(greta)).toMatchObject({ status: 'open', assigned_to: ida.userId });
    await press(mine.page, 'Assigned to: You. Change');
    await mine.page.getByRole('button', { name: 'Hand over with a note…' }).click();
    const dialog = mine.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await dialog.getByText('Choose to whom.').waitFor();
    await until('the choice has focus', () =>
      mine.page.evaluate<boolean>("document.activeElement.tagName === 'SELECT'"),
    );
    await dialog.getByLabel('To whom').selectOption('Nura Hallebek');
    await dialog.getByLabel('Note').fill('x'.repeat(2001));
    await dialog.getByText('2,001 characters. At most 2,000 fit.').waitFor();
    await dialog.getByLabel('Note').fill('She asks for the glazed one.');
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await has(mine.page, 'Nura Hallebek');
    await has(theirs.page, 'You');
    await theirs.page.getByText(/She asks for the glazed one\./).waitFor();
    await press(theirs.page, 'Assigned to: You. Change');
    await theirs.page.getByRole('option', { name: 'Nobody' }).click();
    await has(mine.page, 'Nobody');
    await Promise.all([mine.context.close(), theirs.context.close()]);
  });

  it('names the colleague who was faster, and takes nothing from them', async () => {
    const { page, context } = await at(greta, ida);
    await has(page, 'Nobody');
    await page.route('**/assign', async (route) => {
      await pages.assigns(greta, nura);
      await route.continue();
    });
    await press(page, 'Take');
    await page.getByText('Nura Hallebek was first and has this conversation now.').waitFor();
    await has(page, 'Nura Hallebek');
    expect((await pages.stateOf(greta)).assigned_to).toBe(nura.userId);
    await page.unroute('**/assign');
    await press(page, 'Take from Nura Hallebek');
    await has(page, 'You');
    await page.getByText('was first').waitFor({ state: 'detached' });
    await context.close();
  });

  it('takes back what was refused, and says why', async () => {
    const { page, context } = await at(greta, ida);
    await has(page, 'Nobody');
    await page.route('**/resolve', (route) =>
      route.fulfill({ status: 403, json: { error: 'forbidden', message: 'no' } }),
    );
    await press(page, 'Resolve');
    await page.getByText('Nothing was changed. Your role doesn’t allow that. (forbidden)').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await heading(page, 'Greta Holmvik');
    await context.close();
  });

  it('resolves, goes on to the next one, says when nobody is left, and reopens', async () => {
    const felix = pages.customer('Felix Narrowby');
    await pages.writes(felix, 'Is it 2.4 m?');
    for (const one of [felix, greta]) await pages.assigns(one, ida);
    const { page, context } = await pages.inside(pages.pathTo(null, '?view=mine'), { who: ida });
    await page.getByRole('link', { name: /Felix Narrowby/ }).click();
    await heading(page, 'Felix Narrowby');
    await untilFocused(page, 'Felix Narrowby');
    await until('the title names them', async () => /^\(2\) Felix Narrowby · Inbox · Parley$/.test(await page.title()));
    await page.keyboard.press('e');
    await heading(page, 'Greta Holmvik');
    await untilFocused(page, 'Greta Holmvik');
    await page.getByText('Felix Narrowby is resolved.').waitFor();
    await until('it is resolved', async () => (await pages.stateOf(felix)).status === 'resolved');
    // A press right after going on was meant for the thread before, and does nothing.
    await until('a press resolves the next one', async () => {
      await page.keyboard.press('e');
      return (await pages.stateOf(greta)).status === 'resolved';
    });
    await page.getByText('Greta Holmvik is resolved. Nobody else waits in this list.').waitFor();
    await page.getByText('Choose a conversation.').waitFor();
    await page.goto(world.baseUrl + pages.pathTo(greta));
    await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor();
    await page.keyboard.press('o');
    await has(page, 'You');
    // The page shows it before the service has answered.
    await until('it is open again', async () => (await pages.stateOf(greta)).assigned_to === ida.userId);
    expect((await pages.stateOf(greta)).status).toBe('open');
    await context.close();
  });

  it('can be done with the keyboard alone', async () => {
    const { page, context } = await at(greta, ida);
    await has(page, 'Nobody');
    await page.keyboard.press('Shift+A');
    await has(page, 'You');
    await page.keyboard.press('a');
    const list = page.getByRole('listbox', { name: 'Assign to' });
    await list.waitFor();
    await listHasFocus(page);
    expect(await list.getByRole('option', { selected: true }).textContent()).toBe('You');
    await page.keyboard.press('n');
    await page.keyboard.press('u');
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'detached' });
    await has(page, 'Nura Hallebek');
    await until('the button has focus', () =>
      page.evaluate<boolean>("document.activeElement.getAttribute('aria-haspopup') === 'listbox'"),
    );
    await page.keyboard.press('Enter');
    await list.waitFor();
    await listHasFocus(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await has(page, 'Nura Hallebek');
    await until('the service has it', async () => (await pages.stateOf(greta)).assigned_to === nura.userId);
    await context.close();
  });

  it('counts who waits in the navigation and in the title', async () => {
    await pages.assigns(greta, ida);
    const { page, context } = await pages.inside(pages.pathTo(), { who: ida });
    const link = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Inbox/ });
    await link.getByText('1 person waits').waitFor();
    await until('the title has the count', async () => (await page.title()) === '(1) Inbox · Parley');
    await pages.writes(pages.customer('Dario Pellacosta'), 'Is the kit in?');
    await link.getByText('2 people wait, 1 of them for you').waitFor();
    await until('the title has the count', async () => (await page.title()) === '(2) Inbox · Parley');
    await context.close();
  });

  it('tells the network that messages were read, only for one’s own conversation and while it is wanted', async () => {
    const receipts = async (): Promise<number> =>
      (await world.simulator.requests(pages.account.phone.phoneNumberId)).filter(({ name }) => name === 'read').length;
    const { page, context } = await at(greta, ida);
    await has(page, 'Nobody');
    await pages.assigns(greta, nura);
    await has(page, 'Nura Hallebek');
    expect(await receipts()).toBe(0);
    await press(page, 'Take from Nura Hallebek');
    await until('the network heard of it', async () => (await receipts()) >= 1);
    await pages.writes(greta, 'And a second one.');
    await until('the network heard of the second', async () => (await receipts()) >= 2);
    await page.goto(`${world.baseUrl}/console/${pages.account.accountId}/settings/inbox`);
    await page.getByLabel('Tell people that their messages were read').uncheck();
    await page.goto(world.baseUrl + pages.pathTo(greta));
    await has(page, 'You');
    await pages.writes(greta, 'And a third one.');
    await inThread(page, 'And a third one.');
    expect(await receipts()).toBe(2);
    // Told again once it is wanted: one more, so that none was told meanwhile.
    await page.goto(`${world.baseUrl}/console/${pages.account.accountId}/settings/inbox`);
    await page.getByLabel('Tell people that their messages were read').check();
    await page.goto(world.baseUrl + pages.pathTo(greta));
    await until('the network heard of the third', async () => (await receipts()) >= 3);
    expect(await receipts()).toBe(3);
    await context.close();
  });

  it('says that people wait while nobody looks, if that is wanted, without what they wrote', async () => {
    const { page, context } = await pages.inside(pages.pathTo(), { who: ida });
    await context.addInitScript(HIDES_AND_NOTIFIES);
    await page.goto(`${world.baseUrl}/console/${pages.account.accountId}/settings/inbox`);
    const wanted = page.getByLabel('Show a notification');
    expect(await wanted.isChecked()).toBe(false);
    await page.evaluate("answer = 'denied'");
    await wanted.click();
    await page.getByText(/^This browser refuses notifications/).waitFor();
    expect(await wanted.isChecked()).toBe(false);
    await page.evaluate("answer = 'granted'");
    await wanted.click();
    await page.getByText(/^This browser refuses notifications/).waitFor({ state: 'detached' });
    await until('it is wanted', () => wanted.isChecked());
    await page.locator('.nav .live', { hasText: 'Live' }).waitFor();
    await page.evaluate('hide()');
    const titles = (): Promise<string[]> => page.evaluate<string[]>('shown.map(({ title }) => title)');
    await pages.writes(pages.customer('Dario Pellacosta'), 'Is the kit in?');
    await until('it was said', async () => (await titles()).length >= 1);
    await pages.writes(pages.customer('Amina Tessoude'), 'And the seedlings?');
    await until('it was said again', async () => (await titles()).length >= 2);
    expect(await titles()).toEqual(['Somebody waits for an answer', '2 people wait for an answer']);
    expect(await page.evaluate('shown.map(({ body, tag }) => [body, tag].join())')).toEqual([
      'Test account,parley-waiting',
      'Test account,parley-waiting',
    ]);
    await page.evaluate('shown.at(-1).onclick()');
    await heading(page, 'Inbox');
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation in the %s theme, and fits all windows',
    async (colorScheme) => {
      const { page, context } = await at(greta, ida, { colorScheme });
      for (const width of [1440, 768, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await has(page, 'Nobody');
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await press(page, 'Assigned to: Nobody. Change');
        await page.getByRole('option', { name: 'Nura Hallebek' }).waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.getByRole('button', { name: 'Hand over with a note…' }).click();
        await page.getByRole('dialog').getByLabel('To whom').waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await context.close();
    },
  );
});
