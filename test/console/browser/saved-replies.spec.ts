import type { Page } from 'playwright-core';
import { World } from '../../support/world.js';
import { ConsoleBrowser, heading, overflow, untilFocused, type Visit, violationsAt } from './console-browser.js';
import { INBOX_ENV, InboxPages } from './inbox-pages.js';

interface Listed {
  readonly saved_replies: readonly { readonly id: string; readonly name: string; readonly text: string }[];
}

const REPLIES = '/api/v1/saved-replies/';

describe('the saved replies', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;

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
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const keep = (name: string, text: string) => pages.account.api.post(REPLIES, { name, text });
  const kept = async () => (await pages.account.api.get<Listed>(REPLIES)).body.saved_replies;
  const inside = async (role: 'agent' | 'manager', options: object = {}): Promise<Visit> => {
    const visit = await pages.inside(`/console/${pages.account.accountId}/settings/saved-replies`, {
      role,
      ...options,
    });
    await heading(visit.page, 'Saved replies');
    return visit;
  };
  const dialog = (page: Page) => page.getByRole('dialog');
  const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save' }).click();

  it('are written, changed and deleted by a manager', async () => {
    const { page, context } = await inside('manager');
    await page.getByText(/^No text is saved yet\. A saved reply/).waitFor();
    await page.keyboard.press('n');
    await save(page);
    await dialog(page).getByText('Enter a name.').waitFor();
    await untilFocused(page, 'Name');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Hours');
    await dialog(page).getByLabel('Text').fill('Hello {{nickname}}');
    await save(page);
    await dialog(page)
      .getByText(/^\{\{nickname\}\} is not known\. There are first_name, /)
      .waitFor();
    await dialog(page).getByLabel('Text').fill('We open at nine, ');
    await dialog(page).getByRole('button', { name: 'Insert {{first_name}}' }).click();
    await dialog(page).locator('.reply-preview').getByText('We open at nine, Greta').waitFor();
    await save(page);
    await page.getByText('“Hours” is saved.').waitFor();
    expect(await kept()).toMatchObject([{ name: 'Hours', text: 'We open at nine, {{first_name}}' }]);
    await page.getByRole('button', { name: 'Edit Hours' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('Opening hours');
    await save(page);
    await page.getByText('“Opening hours” is saved.').waitFor();
    await page.getByRole('button', { name: 'Delete… Opening hours' }).click();
    await dialog(page).getByText('Delete “Opening hours”?').waitFor();
    await dialog(page).getByRole('button', { name: 'Keep it' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete… Opening hours' }).click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Opening hours” is deleted.').waitFor();
    expect(await kept()).toEqual([]);
    await context.close();
  });

  it('have names of their own, and one that is gone can be saved anew', async () => {
    await keep('Hours', 'We open at nine.');
    await keep('Thanks', 'Thank you, {{first_name}}.');
    const { page, context } = await inside('manager');
    await page.getByRole('button', { name: 'Edit Thanks' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('hours');
    await save(page);
    await dialog(page).getByText('Another saved reply has this name.').waitFor();
    await untilFocused(page, 'Name');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Thank you');
    const gone = (await kept()).find(({ name }) => name === 'Thanks');
    await pages.account.api.request('DELETE', `${REPLIES}${gone?.id}`);
    await save(page);
    await dialog(page)
      .getByText(/^Somebody deleted it meanwhile\./)
      .waitFor();
    await save(page);
    await page.getByText('“Thank you” is saved.').waitFor();
    expect((await kept()).map(({ name }) => name).sort()).toEqual(['Hours', 'Thank you']);
    await context.close();
  });

  it('are only read by an agent, by name, and searched', async () => {
    for (const name of ['Hours', 'Address', 'Thanks', 'Returns', 'Prices', 'Sizes', 'Colours', 'Delivery']) {
      await keep(name, `About: ${name.toLowerCase()}`);
    }
    const { page, context } = await inside('agent');
    await page.getByText('About: hours').waitFor();
    const names = (): Promise<string[]> => page.locator('main .strong').allTextContents();
    expect((await names())[0]).toBe('Address');
    expect(await page.locator('main button').count()).toBe(0);
    await page.keyboard.press('n');
    await page.keyboard.press('/');
    await page.keyboard.type('SIZES');
    await page.getByText('About: hours').waitFor({ state: 'detached' });
    expect(await names()).toEqual(['Sizes']);
    await page.getByLabel('Search saved replies').fill('nothing');
    await page.getByText('No saved reply has “nothing” in it.').waitFor();
    expect(await dialog(page).count()).toBe(0);
    await context.close();
  });

  it('say in their place that they did not load, and try again', async () => {
    const { page, context } = await inside('manager');
    await page.getByText(/^No text is saved yet/).waitFor();
    const answer = { status: 403, headers: { 'x-request-id': 'r-3' }, json: { error: 'forbidden', message: 'no' } };
    await page.route('**/api/v1/saved-replies?*', (route) => route.fulfill(answer));
    await page.reload();
    await page.getByText(/^The list of saved replies didn’t load\./).waitFor();
    await page.getByText('Request r-3').waitFor();
    await page.unroute('**/api/v1/saved-replies?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^No text is saved yet/).waitFor();
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'have no axe violation in the %s theme, and fit all windows, as the other settings do',
    async (colorScheme) => {
      await keep('Hours with a name that is much too long for a line', 'We open at nine.\nThank you, {{first_name}}.');
      const { page, context } = await inside('manager', { colorScheme });
      for (const width of [1440, 768, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.getByRole('link', { name: 'Inbox', exact: true }).last().waitFor();
        await page.getByText(/^We open at nine/).waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.getByRole('button', { name: /^Edit/ }).click();
        await dialog(page).getByLabel('Text').waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.keyboard.press('Escape');
        await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Inbox' }).click();
        await heading(page, 'Inbox');
        expect(await page.getByLabel('Tell people that their messages were read').isChecked()).toBe(true);
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.goBack();
        await heading(page, 'Saved replies');
      }
      await context.close();
    },
  );
});
