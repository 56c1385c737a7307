import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { ConsoleBrowser, heading } from './console-browser.js';
import { button, composer, field, INBOX_ENV, InboxPages, inThread } from './inbox-pages.js';

/** The question whether Parley can be reached. */
const PROBE = 'GET /api/v1/session';

describe('a page without a connection', () => {
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
  afterEach(() => browser.closePages());

  const expectOnly = (pattern: RegExp): void =>
    expect(browser.takeComplaints().filter((line) => !pattern.test(line))).toEqual([]);
  /** What a page asks from now on. */
  const asked = (page: Page): string[] => {
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`);
    });
    return requests;
  };
  const isOffline = (page: Page): Promise<void> => page.getByText(/^Offline\. Showing/).waitFor();
  const isLive = (page: Page): Promise<void> => page.locator('.nav .live', { hasText: 'Live' }).waitFor();
  /** Waits until it has asked whether Parley is back for a few times. */
  const untilAsked = (requests: readonly string[]): Promise<unknown> =>
    until('it has asked twice whether Parley is back', () => requests.filter((one) => one === PROBE).length >= 2);

  it('asks for nothing but whether it is back, and then reads everything once', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page, context } = await pages.inside(pages.pathTo(greta));
    await inThread(page, 'Is it in stock?');
    await isLive(page);
    await page.locator('.side').getByText('Was in none.').waitFor();
    await context.setOffline(true);
    await isOffline(page);
    const requests = asked(page);
    // As when somebody comes back to the tab.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange')); dispatchEvent(new Event('focus'))");
    await untilAsked(requests);
    expect(requests.filter((one) => one !== PROBE)).toEqual([]);
    await pages.writes(greta, 'And the glazed one?');
    requests.length = 0;
    await context.setOffline(false);
    await inThread(page, 'And the glazed one?');
    await isLive(page);
    const reads = (path: RegExp): number => requests.filter((one) => path.test(one)).length;
    await until('the thread was read again', () => reads(/\/timeline$/) >= 1);
    await until('the person was read again', () => reads(/\/contacts\/[^/]+\/consent$/) >= 1);
    expect([reads(/\/consent$/), reads(/\/groups/)]).toEqual([1, 1]);
    // Once more at most: for a live event of the message itself.
    expect(reads(/\/timeline$/)).toBeLessThanOrEqual(2);
    expectOnly(/ERR_INTERNET_DISCONNECTED/);
  });

  it('asks for no more when it is lost while a message is on its way', async () => {
    const greta = await pages.writer('Greta Holmvik');
    const { page, context } = await pages.inside(pages.pathTo(greta));
    await heading(page, 'Greta Holmvik');
    await isLive(page);
    await page.route('**/send-message', async (route) => {
      await context.setOffline(true);
      await route.abort('internetdisconnected');
    });
    await field(page).fill('It is.');
    const requests = asked(page);
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await isOffline(page);
    await untilAsked(requests);
    const later = requests.slice(requests.findIndex((one) => one.endsWith('/send-message')));
    expect(later.filter((one) => one.startsWith('GET') && one !== PROBE)).toEqual([]);
    await page.unroute('**/send-message');
    await context.setOffline(false);
    await isLive(page);
    await button(page, 'Resolve').waitFor();
    expectOnly(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  });
});
