import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { draft } from '../../campaigns/campaigns.js';
import { ROOT } from '../../sandbox/program.js';
import { outputOf } from '../../support/commands.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { type TestAccount, uniquePhone, World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, enterByLink, linkOf, overflow, PLAIN_HTTP } from './console-browser.js';
import { InboxPages } from './inbox-pages.js';

const PASSWORD = 'a long walk by the sea';
/** The size of text in a browser where somebody has doubled it, pixels. */
const DOUBLE_TEXT = 32;
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

let world: World;
let browser: ConsoleBrowser;
let account: TestAccount;
let context: BrowserContext;
let directory: string;
/** Every screen by its address, with what is there once it has been read. */
let screens: ReadonlyMap<string, string>;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'parley-pseudo-'));
  outputOf(process.execPath, [path.join(__dirname, 'pseudo-console.mjs'), directory], { cwd: ROOT });
  world = await World.start({ env: { SESSION_COOKIE: PLAIN_HTTP.SESSION_COOKIE } });
  browser = await ConsoleBrowser.start(world.baseUrl);
  const pages = await InboxPages.start(world, browser);
  ({ account } = pages);
  const customer = pages.customer('Greta Holmvik');
  await pages.writes(customer, 'One pot arrived cracked.', 'Could I have the glazed one instead?');
  await account.api.post('/api/v1/saved-replies/', { name: 'Hours', text: 'Hello {{first_name}}, we open at nine.' });
  await account.api.post(`/api/v1/conversations/${customer.phone}/assign`, { user_id: account.ownerId });
  const { name } = await approvedTemplate(world, account);
  const campaignId = await draft(account, name, [uniquePhone(), uniquePhone()]);
  await account.api.post(`/api/v1/campaigns/${campaignId}/send`);
  await until('the campaign has ended', async () => {
    const { body } = await account.api.get<{ campaign: { campaign_status: string; read_count: number } }>(
      `/api/v1/campaigns/${campaignId}`,
    );
    return body.campaign.campaign_status === 'completed' && body.campaign.read_count === 2;
  });
  const of = (screen: string) => `/console/${account.accountId}/${screen}`;
  screens = new Map([
    [of('inbox'), 'main .conv'],
    [of(`inbox/${customer.phone}/${account.phone.id}`), 'main [role="log"] .msg'],
    [of('settings/you'), 'main li'],
    [of('settings/inbox'), 'main input'],
    [of('settings/saved-replies'), 'main li'],
    [of('campaigns'), 'main tbody tr'],
    [of(`campaigns/${campaignId}`), 'main .ticks'],
    [of('nothing'), 'h1'],
  ]);
  const visit = await browser.visit(await linkOf(world, account));
  await enterByLink(visit.page, PASSWORD);
  ({ context } = visit);
});
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => expect(browser.takeComplaints()).toEqual([]));

/** Calls `look` with each screen in a tab, in windows of all sizes. */
async function everyScreen(
  prepare: (page: Page) => Promise<unknown>,
  look: (page: Page, at: string) => Promise<void>,
): Promise<void> {
  const page = await browser.open(context, '/console/');
  await prepare(page);
  for (const [address, content] of screens) {
    await page.goto(world.baseUrl + address);
    await page.locator(content).first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    for (const width of [1440, 768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await look(page, `${address} at ${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 800 });
  }
  await page.close();
}

/** Serves the console with longer words, in a direction of writing. */
async function serveLonger(page: Page, direction: string): Promise<void> {
  await page.route('**/console/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const type = TYPES[path.extname(pathname)];
    const file = path.join(directory, pathname);
    // The page that is open already still loads what it has named.
    if (type !== undefined && existsSync(file)) {
      await route.fulfill({ body: readFileSync(file), contentType: `${type}; charset=utf-8` });
    } else if (pathname.includes('/assets/')) await route.continue();
    else {
      const html = readFileSync(path.join(directory, 'console/index.html'), 'utf8');
      // With the headers of the real page, above all its policy.
      await route.fulfill({
        response: await route.fetch(),
        body: html.replace('<html lang="en">', `<html lang="en" dir="${direction}">`),
      });
    }
  });
}

describe('every screen', () => {
  it.each(['ltr', 'rtl'])('holds words that are half as long again, written %s', async (direction) => {
    const wide: string[] = [];
    let changed = 0;
    await everyScreen(
      (page) => serveLonger(page, direction),
      async (page, at) => {
        if ((await overflow(page)) > 0) wide.push(at);
        if ((await page.getByText('Settingssett').count()) > 0) changed += 1;
        expect([at, await axeViolations(page)]).toEqual([at, []]);
      },
    );
    expect(wide).toEqual([]);
    expect(changed).toBeGreaterThan(0);
  });

  it('holds text of twice the size', async () => {
    const wide: string[] = [];
    await everyScreen(
      async (page) => {
        const devtools = await context.newCDPSession(page);
        await devtools.send('Page.setFontSizes', { fontSizes: { standard: DOUBLE_TEXT } });
      },
      async (page, at) => {
        expect(await page.evaluate('parseFloat(getComputedStyle(document.documentElement).fontSize)')).toBe(
          DOUBLE_TEXT,
        );
        if ((await overflow(page)) > 0) wide.push(at);
      },
    );
    expect(wide).toEqual([]);
  });
});
