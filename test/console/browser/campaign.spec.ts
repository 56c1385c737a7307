import { act } from '../../campaigns/campaigns.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { CAMPAIGN_ENV, CampaignPages, choose, dialog, NAME, rowCount, rows, status, step } from './campaign-pages.js';
import { axeViolations, ConsoleBrowser, focused, heading, overflow } from './console-browser.js';

describe('the screen of a campaign', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: CampaignPages;

  beforeAll(async () => {
    world = await World.start({ env: CAMPAIGN_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    pages = await CampaignPages.start(world, browser);
  });
  afterEach(async () => {
    await pages.stop();
    expect(browser.takeComplaints()).toEqual([]);
  });

  it('moves with a campaign to its end, says who failed and why, and retries those who can be', async () => {
    const id = await pages.draft();
    const { page, context } = await pages.inside(id);
    await status(page, 'Draft');
    await step(page, 'People', 7);
    await step(page, 'Sent', 0);
    await act(pages.account, id, 'send');
    await status(page, 'Completed');
    await page.getByText(/^Started at \d\d:\d\d with an API key, from$/).waitFor();
    await step(page, 'Sent', 7);
    await step(page, 'Delivered', 4);
    await step(page, 'Read', 4);
    await step(page, 'Clicked', 1);
    const failures = page.getByRole('region', { name: 'Not delivered' });
    await failures.getByText('Can’t receive it').waitFor();
    await failures.getByText('The network had a fault').waitFor();
    expect(await failures.getByRole('button').count()).toBe(1);
    await world.simulator.behave({ late_error: null });
    await failures.getByRole('button', { name: 'Retry 2: The network had a fault' }).click();
    await step(page, 'Delivered', 6);
    await step(page, 'Read', 6);
    await failures.getByText('The network had a fault').waitFor({ state: 'detached' });
    await failures.getByRole('link', { name: 'Can’t receive it: show 1 person' }).waitFor();
    await status(page, 'Completed');
    await page.getByText(/^1 person replied$/).waitFor();
    // Who has replied waits, which the title counts.
    expect(await page.title()).toContain(`${NAME} · Campaign · Parley`);
    await context.close();
  });

  it('shows the people behind each figure by a link, and Back undoes it', async () => {
    const id = await pages.ended();
    const { page, context } = await pages.inside(id);
    await rowCount(page, 7);
    await page.getByRole('link', { name: /^Read 4 / }).click();
    await page.waitForURL(/\?reached=read$/);
    await rowCount(page, 4);
    expect(await focused(page)).toBe('People');
    const other = await browser.open(context, pages.pathTo(id, '?reached=read'));
    await rowCount(other, 4);
    await other.close();
    await page.goBack();
    await rowCount(page, 7);
    await page.getByRole('link', { name: 'Can’t receive it: show 1 person' }).click();
    await rowCount(page, 1);
    await rows(page).getByText('Benno Kastelier').waitFor();
    await rows(page).getByText('Can’t receive it (131026)').waitFor();
    await choose(page, /^All/);
    await rowCount(page, 7);
    await page.keyboard.press('/');
    await page.keyboard.type('vantrell');
    await page.waitForURL(/search=vantrell/);
    await rowCount(page, 1);
    await page.getByLabel('Search people').fill('nobody at all');
    await page.getByText('Nobody fits this filter.').waitFor();
    await page.getByRole('link', { name: 'Clear filter' }).click();
    await rowCount(page, 7);
    await page.getByLabel('Order').selectOption('By name');
    await page.waitForURL(/order=name/);
    await until('they are sorted', async () => /^Benno/.test((await rows(page).first().textContent()) ?? ''));
    await context.close();
  });

  it('can be used with the keyboard alone, and says its state aloud', async () => {
    const id = await pages.ended();
    const { page, context } = await pages.inside(id);
    await rowCount(page, 7);
    await page.keyboard.press('s');
    await page
      .getByText('Completed. 7 of 7 people sent to. 4 delivered, 4 read, 1 clicked. 3 failed.')
      .waitFor({ state: 'attached' });
    await page.locator('.funnel a').nth(4).focus();
    await page.keyboard.press('Enter');
    await rowCount(page, 1);
    await rows(page).getByText('Sana Mirzavel').waitFor();
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'A second' }).waitFor();
    await page.keyboard.press('?');
    await dialog(page).getByText('Read the state aloud').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Search people');
    // In a field, letters are letters.
    await page.keyboard.type('sp');
    expect(await dialog(page).count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'You');
    await context.close();
  });

  it.each(['light', 'dark'] as const)('has no axe violation in the %s theme', async (colorScheme) => {
    const [id, sending] = [await pages.ended(), await pages.begun()];
    for (const width of [1440, 360]) {
      const { page, context } = await pages.inside(id, { colorScheme, viewport: { width, height: 900 } });
      await page.locator('.people').getByText('Can’t receive it (131026)').waitFor();
      await page.getByText('Not for me').waitFor();
      await page.getByText('Show as a table').click();
      await page.getByRole('columnheader', { name: 'A second' }).waitFor();
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await page.goto(world.baseUrl + pages.pathTo(sending));
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume…' }).waitFor();
      await page.getByText('Nobody has failed so far.').waitFor();
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await page.getByRole('button', { name: 'Resume…' }).click();
      await dialog(page)
        .getByRole('button', { name: /^Send to / })
        .waitFor();
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await dialog(page)
        .getByRole('button', { name: /^Send to / })
        .click();
      await status(page, 'Sending');
      await context.close();
    }
  });

  it.each([1440, 1000, 768, 360, 320])('fits a window of %i pixels', async (width) => {
    const id = await pages.ended();
    const { page, context } = await pages.inside(id, { viewport: { width, height: 800 } });
    await page.locator('.people').getByText('Can’t receive it (131026)').waitFor();
    await page.getByText('Not for me').waitFor();
    await page.getByText('Show as a table').click();
    expect(await overflow(page)).toBe(0);
    await context.close();
  });

  it('says so when there is no such campaign, and what did not load', async () => {
    const id = await pages.ended();
    const { page, context } = await pages.inside(id);
    await page.route('**/failures', (route) =>
      route.fulfill({ status: 500, headers: { 'x-request-id': 'r-1' }, json: { error: 'internal', message: 'fault' } }),
    );
    await page.reload();
    await page.getByText(/^The list of failures didn’t load\./).waitFor();
    await page.getByText('Request r-1').waitFor();
    await rowCount(page, 7);
    await page.unroute('**/failures');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The network had a fault').first().waitFor();
    await page.goto(world.baseUrl + pages.pathTo('0190c8f2-0000-7000-8000-000000000000'));
    await heading(page, 'There is no such campaign');
    expect(browser.takeComplaints().filter((line) => !/status of 500/.test(line))).toEqual([]);
    await context.close();
  });
});
