import type { Locator, Page } from 'playwright-core';
import { act, campaignOf, draft, hurry, started, untilCampaign } from '../../campaigns/campaigns.js';
import { PASSWORD as MEMBER_PASSWORD, member } from '../../sessions/browser.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { type TestAccount, World } from '../../support/world.js';
import {
  ConsoleBrowser,
  enterByLink,
  focused,
  heading,
  linkOf,
  overflow,
  type Visit,
  violationsAt,
} from './console-browser.js';

const PASSWORD = 'a long walk by the sea';
/** Nobody can wait for so many at one a second. */
const MANY = 500;

describe('the list of campaigns', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let account: TestAccount;
  let template: string;

  beforeAll(async () => {
    world = await World.start({ env: { SESSION_COOKIE: 'parley_test' } });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    account = await world.account({ credits: 10 * MANY, throughput: 1 });
    template = (await approvedTemplate(world, account)).name;
  });
  afterEach(async () => {
    const { body } = await account.api.get<{ campaigns: { campaign_id: string }[] }>(
      '/api/v1/campaigns/?status=running&limit=100',
    );
    for (const { campaign_id } of body.campaigns) await act(account, campaign_id, 'cancel');
    expect(browser.takeComplaints()).toEqual([]);
  });

  const inside = async (options: Parameters<ConsoleBrowser['visit']>[1] = {}): Promise<Visit> => {
    const visit = await browser.visit(await linkOf(world, account, 'campaigns'), options);
    await enterByLink(visit.page, PASSWORD, 'Campaigns');
    return visit;
  };
  const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
  const choose = async (page: Page, name: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const names = (page: Page): Promise<string[]> => page.locator('.campaigns .name a').allTextContents();

  it('says what a campaign is while there is none, and shows the first one by itself', async () => {
    const { page, context } = await inside();
    await page.getByText(/^A campaign sends one message to many people/).waitFor();
    await started(account, template, MANY, { name: 'Autumn' });
    const row = rowOf(page, 'Autumn');
    await row.getByText('Sending').waitFor();
    await row.getByText(/^[1-9]\d* of 500$/).waitFor();
    await context.close();
  });

  it('pauses, resumes and cancels one, and follows it', async () => {
    const id = await started(account, template, MANY, { name: 'Spring bulbs' });
    const { page, context } = await inside();
    const row = rowOf(page, 'Spring bulbs');
    await row.getByText('Sending').waitFor();
    await choose(page, 'Spring bulbs', 'Pause');
    await row.getByText('Paused').waitFor();
    expect((await campaignOf(account, id)).paused).toBe(true);
    await choose(page, 'Spring bulbs', 'Resume…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Resume “Spring bulbs”?').waitFor();
    await dialog.getByRole('button', { name: /^Send to \d+ people$/ }).click();
    await row.getByText('Sending').waitFor();
    await choose(page, 'Spring bulbs', 'Cancel…');
    await dialog.getByText(/^\d+ people will not get it\./).waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await choose(page, 'Spring bulbs', 'Cancel…');
    await dialog.getByRole('button', { name: 'Cancel campaign' }).click();
    await row.getByText('Cancelled').waitFor();
    await page.getByRole('link', { name: 'Cancelled 1', exact: true }).waitFor();
    expect((await campaignOf(account, id)).campaign_status).toBe('cancelled');
    await context.close();
  });

  it('shows the end of one, with how many got it', async () => {
    const id = await started(account, template, 5, { name: 'Spring bulbs' });
    await act(account, id, 'pause');
    const { page, context } = await inside();
    const row = rowOf(page, 'Spring bulbs');
    await row.getByText('Paused').waitFor();
    await hurry(world, account);
    await act(account, id, 'resume');
    await untilCampaign(account, id, 'completed');
    await row.locator('.pill', { hasText: 'Completed' }).waitFor();
    await row.getByText('5 of 5').waitFor();
    await page.getByRole('link', { name: 'Completed 1', exact: true }).waitFor();
    await context.close();
  });

  it('says so when somebody else was first', async () => {
    const id = await started(account, template, MANY, { name: 'Spring bulbs' });
    const { page, context } = await inside();
    await page.route('**/pause', async (route) => {
      await act(account, id, 'cancel');
      await route.continue();
    });
    await rowOf(page, 'Spring bulbs').getByText('Sending').waitFor();
    await choose(page, 'Spring bulbs', 'Pause');
    await page.getByText(/Somebody else was first\. The campaign now says: Cancelled\./).waitFor();
    await rowOf(page, 'Spring bulbs').getByText('Cancelled').waitFor();
    await context.close();
  });

  it('keeps its rows where they are while somebody points at them', async () => {
    await started(account, template, MANY, { name: 'First' });
    const { page, context } = await inside();
    await rowOf(page, 'First').getByText('Sending').waitFor();
    await rowOf(page, 'First').hover();
    await started(account, template, MANY, { name: 'Second' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await names(page)).toEqual(['First']);
    await page.getByRole('button', { name: '1 new' }).click();
    await rowOf(page, 'Second').getByText('Sending').waitFor();
    expect(await names(page)).toEqual(['Second', 'First']);
    expect(await focused(page)).toBe('Second');
    await context.close();
  });

  it('has its filter in the address, which Back undoes', async () => {
    await draft(account, template, 2, { name: 'Spring bulbs' });
    await draft(account, template, 2, { name: 'Late tulips' });
    const paused = await started(account, template, MANY, { name: 'Autumn' });
    await act(account, paused, 'pause');
    const { page, context } = await inside();
    await rowOf(page, 'Autumn').getByText('Paused').waitFor();
    await page.getByRole('link', { name: 'Drafts 2', exact: true }).click();
    await rowOf(page, 'Autumn').waitFor({ state: 'detached' });
    await rowOf(page, 'Spring bulbs').waitFor();
    expect(new URL(page.url()).search).toBe('?status=draft');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('tulips');
    await rowOf(page, 'Spring bulbs').waitFor({ state: 'detached' });
    await rowOf(page, 'Late tulips').waitFor();
    expect(new URL(page.url()).search).toBe('?status=draft&search=tulips');
    expect(await focused(page)).toBe('Search campaigns');
    await page.reload();
    await rowOf(page, 'Late tulips').waitFor();
    expect(await page.getByLabel('Search campaigns').inputValue()).toBe('tulips');
    await page.goBack();
    await rowOf(page, 'Spring bulbs').waitFor();
    expect(await page.getByLabel('Search campaigns').inputValue()).toBe('');
    await page.goBack();
    await rowOf(page, 'Autumn').waitFor();
    await page.getByRole('link', { name: 'Failed 0', exact: true }).click();
    await page.getByText('No campaign matches.').waitFor();
    await page.getByRole('link', { name: 'Clear filter' }).click();
    await rowOf(page, 'Autumn').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('can be used with the keyboard alone', async () => {
    for (const name of ['Third', 'Second', 'First']) await draft(account, template, 2, { name });
    const { page, context } = await inside();
    await rowOf(page, 'Third').waitFor();
    for (const [key, name] of [
      ['j', 'First'],
      ['j', 'Second'],
      ['ArrowDown', 'Third'],
      ['j', 'Third'],
      ['k', 'Second'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(page)).toBe(name);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Second/ }).waitFor();
    await page.goBack();
    await heading(page, 'Campaigns');
    expect(await focused(page)).toBe('Second');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until('the menu has focus', async () => (await focused(page)) === 'Open');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Cancel…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Cancel “Second”?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'You');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await heading(page, 'Campaigns');
    await context.close();
  });

  it('has no actions for those who may not change campaigns', async () => {
    await draft(account, template, 2, { name: 'Spring bulbs' });
    const { email } = await member(world, account, 'agent');
    const { page, context } = await browser.visit(`/console/${account.accountId}/campaigns`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(MEMBER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await rowOf(page, 'Spring bulbs').waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await context.close();
  });

  it('has pages', async () => {
    for (let number = 1; number <= 26; number += 1) await draft(account, template, 1, { name: `Number ${number}.` });
    const { page, context } = await inside();
    await page.getByText('1–25 of 26').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await rowOf(page, 'Number 1.').waitFor();
    expect(await names(page)).toEqual(['Number 1.']);
    await page.getByRole('link', { name: 'Previous' }).click();
    await rowOf(page, 'Number 26.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`${page.url()}?page=9`);
    await page.getByText('Nothing is on this page.').waitFor();
    await page.getByRole('link', { name: 'Show the first page' }).click();
    await rowOf(page, 'Number 26.').waitFor();
    await context.close();
  });

  it('says in its place that it did not load, and tries again', async () => {
    await draft(account, template, 2, { name: 'Spring bulbs' });
    const { page, context } = await inside();
    await rowOf(page, 'Spring bulbs').waitFor();
    const answer = { status: 403, headers: { 'x-request-id': 'r-2' }, json: { error: 'forbidden', message: 'no' } };
    await page.route('**/api/v1/campaigns?*', (route) => route.fulfill(answer));
    await page.reload();
    await page.getByText(/^The list of campaigns didn’t load\. Your role doesn’t allow that\./).waitFor();
    await page.getByText('Request r-2').waitFor();
    await heading(page, 'Campaigns');
    await page.unroute('**/api/v1/campaigns?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rowOf(page, 'Spring bulbs').waitFor();
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation in the %s theme, and fits all windows',
    async (colorScheme) => {
      await draft(account, template, 2, {
        name: 'Spring bulbs with a name that is much too long for a line of this table',
      });
      await act(account, await started(account, template, MANY, { name: 'Autumn' }), 'pause');
      const { page, context } = await inside({ colorScheme });
      for (const width of [1440, 768, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.reload();
        await rowOf(page, 'Autumn').getByText('Paused').waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.getByRole('button', { name: 'Actions for Autumn' }).click();
        await page.getByRole('menuitem', { name: 'Resume…' }).waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
        await page.getByRole('menuitem', { name: 'Resume…' }).click();
        await page.getByRole('dialog').waitFor();
        expect([width, await overflow(page), await violationsAt(page, width)]).toEqual([width, 0, []]);
      }
      await context.close();
    },
  );
});
