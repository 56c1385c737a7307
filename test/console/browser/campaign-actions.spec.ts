import { act, campaignOf, untilIdle } from '../../campaigns/campaigns.js';
import { World } from '../../support/world.js';
import { CAMPAIGN_ENV, CampaignPages, choose, dialog, MANY, NAME, rowCount, rows, status } from './campaign-pages.js';
import { ConsoleBrowser, focused } from './console-browser.js';

describe('the actions on a campaign', () => {
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

  it('pauses, resumes and cancels, and asks with numbers before the last two', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    await status(page, 'Sending');
    await page.getByRole('button', { name: 'Pause' }).click();
    await status(page, 'Paused');
    await page.getByText(/^Paused at \d\d:\d\d by .+\. Nobody is sent to until somebody resumes it\.$/).waitFor();
    expect(await focused(page)).toBe('Resume…');
    await untilIdle(world, pages.account);
    const left = MANY - (await campaignOf(pages.account, id)).sent_count;
    await page.getByRole('button', { name: 'Resume…' }).click();
    await dialog(page).getByText(`Resume “${NAME}”?`).waitFor();
    await dialog(page).getByText(`${left} people wait and will get it from now on.`).waitFor();
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    await page.keyboard.press('p');
    await dialog(page)
      .getByRole('button', { name: `Send to ${left} people` })
      .click();
    await status(page, 'Sending');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel campaign…' }).click();
    await dialog(page)
      .getByText(/^\d+ people will not get it\. /)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel campaign' }).click();
    await status(page, 'Cancelled');
    expect(await page.getByRole('button', { name: /^(?:Pause|Resume…|More actions)$/ }).count()).toBe(0);
    await choose(page, /^Cancelled/);
    await rows(page).first().getByText('Was not sent to').waitFor();
    await context.close();
  });

  it('sends a draft, and asks with its number before', async () => {
    const id = await pages.draft();
    const { page, context } = await pages.inside(id);
    await status(page, 'Draft');
    await page.getByRole('button', { name: 'Send…' }).click();
    await dialog(page).getByText(`Send “${NAME}”?`).waitFor();
    await dialog(page).getByText('7 people will get it, from now on.').waitFor();
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('button', { name: 'Send…' }).click();
    await dialog(page).getByRole('button', { name: 'Send to 7 people' }).click();
    await status(page, 'Completed');
    await page.getByText(/^Started at \d\d:\d\d by .+, from/).waitFor();
    expect(await page.getByRole('button', { name: 'Send…' }).count()).toBe(0);
    await context.close();
  });

  it('says who has paused it meanwhile', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    await status(page, 'Sending');
    await act(pages.account, id, 'pause');
    await page.getByText(/^Paused at \d\d:\d\d with an API key\./).waitFor();
    await context.close();
  });

  it('sends one request for two presses, and says when somebody else was first', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    let [requests, open] = [0, (): void => undefined];
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route('**/pause', async (route) => {
      requests += 1;
      await act(pages.account, id, 'pause');
      await opened;
      await route.continue();
    });
    const button = page.locator('.head .actions > button').first();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.head .actions > button[aria-disabled="true"]').waitFor();
    await page.keyboard.press('Enter');
    await button.click({ force: true });
    open();
    await page.getByText('Somebody else was first. The campaign now says: Paused.').waitFor();
    await status(page, 'Paused');
    expect(requests).toBe(1);
    await context.close();
  });

  it('never calls an unknown outcome a failure', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    let attempts = 0;
    await page.route('**/pause', async (route) => {
      attempts += 1;
      if (attempts > 1) await act(pages.account, id, 'pause');
      await route.fulfill({ status: 504, body: '' });
    });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Parley has not answered whether that took effect\./).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await status(page, 'Paused');
    await page.getByText(/^Parley has not answered/).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(browser.takeComplaints().filter((line) => !/status of 504/.test(line))).toEqual([]);
    await context.close();
  });

  it('shows an agent everything but the buttons', async () => {
    const id = await pages.ended();
    const paused = await pages.begun();
    await act(pages.account, paused, 'pause');
    const { page, context } = await pages.inside(id, { role: 'agent' });
    await rowCount(page, 7);
    await page.getByRole('region', { name: 'Not delivered' }).getByText('The network had a fault').waitFor();
    expect(await page.locator('main button').count()).toBe(0);
    await page.goto(world.baseUrl + pages.pathTo(paused));
    await status(page, 'Paused');
    await page.getByText('Nobody is sent to until somebody resumes it.').waitFor();
    await page.keyboard.press('p');
    expect([await page.locator('main button').count(), await dialog(page).count()]).toEqual([0, 0]);
    await context.close();
  });

  it('says why a campaign stopped, and what to do', async () => {
    const [paused, failed] = [await pages.begun(), await pages.begun()];
    const because = (id: string, state: string, reason: string) =>
      world.unitOfWork.autocommit.affected(
        `UPDATE campaigns SET ${state}, failure_reason = $3 WHERE account_id = $1 AND id = $2`,
        [pages.account.accountId, id, reason],
      );
    await because(
      paused,
      'paused = true',
      '11 of 100 recipients in a row failed, more than max_failure_percent allows. Most common error: Message ' +
        'undeliverable. Resume the campaign once the cause is fixed, or cancel it',
    );
    await because(failed, "status = 'failed'", 'the account is suspended. Have it activated, then resume the campaign');
    const { page, context } = await pages.inside(paused);
    await page.getByText('Paused itself: 11 of the last 100 failed.').waitFor();
    await page.getByText('Most common: Message undeliverable.').waitFor();
    await page.goto(world.baseUrl + pages.pathTo(failed));
    await page.getByText('The account is suspended. Have it activated, then resume the campaign.').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).waitFor();
    await context.close();
  });

  it('goes on after a lost connection, with its actions off meanwhile', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    await status(page, 'Sending');
    await context.setOffline(true);
    await page.getByText(/^Offline\. Showing \d\d:\d\d\.$/).waitFor();
    await page.locator('.head .actions > button[aria-disabled="true"]').waitFor();
    await act(pages.account, id, 'pause');
    await context.setOffline(false);
    await page.getByText(/^Offline/).waitFor({ state: 'detached' });
    await status(page, 'Paused');
    // What the browser itself says of requests without a connection.
    expect(
      browser.takeComplaints().filter((line) => !/ERR_(?:INTERNET_DISCONNECTED|NETWORK_CHANGED)/.test(line)),
    ).toEqual([]);
    await context.close();
  });

  it('asks every few seconds where there is no stream', async () => {
    const id = await pages.begun();
    const { page, context } = await pages.inside(id);
    await context.route('**/api/v1/stream*', (route) =>
      route.fulfill({ status: 503, json: { error: 'unavailable', message: 'too many streams are open' } }),
    );
    await page.reload();
    await status(page, 'Sending');
    await act(pages.account, id, 'pause');
    await status(page, 'Paused');
    expect(browser.takeComplaints().filter((line) => !/status of 503/.test(line))).toEqual([]);
    await context.close();
  });
});
