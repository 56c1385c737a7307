import { type TestAccount, World } from '../../support/world.js';
import {
  axeViolations,
  ConsoleBrowser,
  enterByLink,
  focused,
  heading,
  linkOf,
  openSettings,
  overflow,
  PLAIN_HTTP,
  type Visit,
} from './console-browser.js';

const PASSWORD = 'a long walk by the sea';

describe('the frame', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: PLAIN_HTTP });
    browser = await ConsoleBrowser.start(world.baseUrl);
    account = await world.account();
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(() => expect(browser.takeComplaints()).toEqual([]));

  const inside = async (options: Parameters<ConsoleBrowser['visit']>[1] = {}): Promise<Visit> => {
    const visit = await browser.visit(await linkOf(world, account), options);
    await enterByLink(visit.page, PASSWORD);
    await openSettings(visit.page);
    return visit;
  };

  it.each(['light', 'dark'] as const)('has no axe violation in the %s theme', async (colorScheme) => {
    const entrance = await browser.visit('/console/', { colorScheme });
    await heading(entrance.page, 'Sign in');
    expect(await axeViolations(entrance.page)).toEqual([]);
    await entrance.page.getByRole('button', { name: 'Sign in' }).click();
    expect(await axeViolations(entrance.page)).toEqual([]);
    await entrance.context.close();
    for (const width of [1440, 900, 360]) {
      const { page, context } = await inside({ colorScheme, viewport: { width, height: 800 } });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await context.close();
    }
  });

  it.each([1440, 768, 360, 320])('fits a window of %i pixels', async (width) => {
    const viewport = { width, height: 800 };
    const entrance = await browser.visit('/console/', { viewport });
    await heading(entrance.page, 'Sign in');
    expect(await overflow(entrance.page)).toBe(0);
    await entrance.context.close();
    const { page, context } = await inside({ viewport });
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await overflow(page)).toBe(0);
    await context.close();
  });

  it('can be used with the keyboard alone', async () => {
    const { page, context } = await inside();
    await page.goto(`${world.baseUrl}/console/`);
    await heading(page, 'Inbox');
    const address = page.url();
    expect(address).toBe(`${world.baseUrl}/console/${account.accountId}/inbox`);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate("document.activeElement.blur(); document.querySelector('.skip').focus()");
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(page.url()).toBe(address);
    await page.goto(`${world.baseUrl}/console/${account.accountId}/nothing`);
    await heading(page, 'Nothing is here');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'You');
    expect(await focused(page)).toBe('You');
    await page.goBack();
    await heading(page, 'Nothing is here');
    await page.goForward();
    await heading(page, 'You');
    // Off in the settings, and in fields.
    await page.getByLabel('New password').press('?');
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('keeps a chosen theme in this browser', async () => {
    const { page, context } = await inside({ colorScheme: 'light' });
    await page.getByLabel('Dark').check({ force: true });
    await page.reload();
    await heading(page, 'You');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 18, 17)');
    await context.close();
  });

  it('says that it is offline, and goes on by itself', async () => {
    const { page, context } = await inside();
    await context.setOffline(true);
    await page.getByText(/^Offline\. Showing \d\d:\d\d\.$/).waitFor();
    await context.setOffline(false);
    await page.getByText(/^Offline/).waitFor({ state: 'detached' });
    // What the browser itself says of requests without a connection.
    expect(browser.takeComplaints().filter((line) => !/ERR_INTERNET_DISCONNECTED/.test(line))).toEqual([]);
    await context.close();
  });

  it('loads itself again once when a file of its version is gone', async () => {
    const { page, context } = await inside();
    let [loads, missing] = [0, 0];
    page.on('request', (request) => {
      if (request.resourceType() === 'document') loads += 1;
    });
    await page.route('**/console/assets/you-*.js', (route) => {
      missing += 1;
      return route.fulfill({ status: 404, json: { error: 'not_found', message: 'gone' } });
    });
    await page.reload();
    await page.getByText(/^This screen didn’t load\./).waitFor();
    expect([loads, missing]).toEqual([2, 2]);
    await context.close();
  });

  it('says what did not load, with the request, and tries again', async () => {
    const { page, context } = await inside();
    const answer = { status: 500, headers: { 'x-request-id': 'r-1' }, json: { error: 'internal', message: 'fault' } };
    await page.route('**/api/v1/sessions', (route) => route.fulfill(answer));
    await page.reload();
    await page.getByText(/^The list of sessions didn’t load\./).waitFor();
    await page.getByText('Request r-1').waitFor();
    await page.unroute('**/api/v1/sessions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This one').waitFor();
    expect(browser.takeComplaints().filter((line) => !/status of 500/.test(line))).toEqual([]);
    await context.close();
  });

  it('says so when the address names an account of somebody else', async () => {
    const { page, context } = await inside();
    await page.goto(`${world.baseUrl}/console/0190c8f2-0000-7000-8000-000000000000/settings/you`);
    await heading(page, 'You have no access to this account');
    await page.getByRole('link', { name: 'Go to Inbox' }).click();
    await heading(page, 'Inbox');
    expect(page.url()).toBe(`${world.baseUrl}/console/${account.accountId}/inbox`);
    await page.goto(`${world.baseUrl}/console/settings/you`);
    await heading(page, 'You');
    expect(page.url()).toBe(`${world.baseUrl}/console/${account.accountId}/settings/you`);
    await context.close();
  });
});
