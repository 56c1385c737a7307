import type { Locator, Page } from 'playwright-core';
import { UserPasswordsService } from '../../../src/sessions/user-passwords.service.js';
import type { RecordId } from '../../../src/values/record-id.js';
import { act, draft, started } from '../../campaigns/campaigns.js';
import { freePort } from '../../support/free-port.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { type TestAccount, World } from '../../support/world.js';
import { ConsoleBrowser, enterByLink, heading, linkOf, type Visit } from './console-browser.js';

const PASSWORD = 'a long walk by the sea';
const STREAM = '**/api/v1/stream?*';
/** Nobody can wait for so many at one a second. */
const MANY = 500;

describe('live updates', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let account: TestAccount;
  let template: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    env = { SESSION_COOKIE: 'parley_test', PORT: String(await freePort()) };
    world = await World.start({ env });
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

  const inside = async (): Promise<Visit> => {
    const visit = await browser.visit(await linkOf(world, account, 'campaigns'));
    await enterByLink(visit.page, PASSWORD, 'Campaigns');
    return visit;
  };
  const said = (page: Page, state: string): Promise<void> => page.locator('.nav .live', { hasText: state }).waitFor();
  const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
  /** What browsers say of requests that the test itself lets fail. */
  const expectOnly = (pattern: RegExp): void =>
    expect(browser.takeComplaints().filter((line) => !pattern.test(line))).toEqual([]);

  /** Follows which streams a page holds. */
  const streamsOf = (page: Page): Set<string> => {
    const open = new Set<string>();
    let count = 0;
    const ids = new Map<unknown, string>();
    page.on('request', (request) => {
      if (!request.url().includes('/api/v1/stream?')) return;
      count += 1;
      ids.set(request, `${count} ${request.url()}`);
      open.add(`${count} ${request.url()}`);
    });
    const close = (request: unknown): void => void open.delete(ids.get(request) ?? '');
    page.on('requestfinished', close);
    page.on('requestfailed', close);
    return open;
  };

  it('come to all tabs of a browser by one stream, which another tab takes over', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    const first = streamsOf(page);
    await page.reload();
    await said(page, 'Live');
    const other = await browser.open(context, '/console/');
    const second = streamsOf(other);
    await other.goto(`${world.baseUrl}/console/${account.accountId}/campaigns`);
    await said(other, 'Live');
    await rowOf(other, 'Autumn').getByText('Sending').waitFor();
    await until('both tabs have one stream together', () => first.size + second.size === 1);
    await act(account, id, 'pause');
    for (const tab of [page, other]) await rowOf(tab, 'Autumn').getByText('Paused').waitFor();
    expect(first.size + second.size).toBe(1);
    await (first.size === 1 ? page : other).close();
    const [left, streams] = first.size === 1 ? [other, second] : [page, first];
    await until('the other tab has a stream', () => streams.size === 1);
    await act(account, id, 'cancel');
    await rowOf(left, 'Autumn').getByText('Cancelled').waitFor();
    await said(left, 'Live');
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('carry what is shown, and go on from screen to screen', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    const streams = streamsOf(page);
    await rowOf(page, 'Autumn').getByText('Sending').waitFor();
    await page.getByRole('link', { name: 'Autumn' }).click();
    await page.getByRole('heading', { level: 1, name: /^Autumn/ }).waitFor();
    const topics = (): (string | null)[] =>
      [...streams].map((stream) => new URL(stream.split(' ')[1] ?? '').searchParams.get('topics'));
    await until('the stream is about the campaign', () => topics().join() === `badges,campaign:${id}`);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await heading(page, 'You');
    await until('the stream is about nothing in particular', () => topics().join() === 'badges');
    await page.goBack();
    await page.goBack();
    await until('the stream is about the list', () => topics().join() === 'badges,campaigns');
    await said(page, 'Live');
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('are asked for every few seconds where there is no stream', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    await page.route(STREAM, (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '600' },
        json: { error: 'unavailable', message: 'too many streams are open' },
      }),
    );
    await page.reload();
    await said(page, 'Reconnecting');
    await rowOf(page, 'Autumn').getByText('Sending').waitFor();
    await act(account, id, 'pause');
    await rowOf(page, 'Autumn').getByText('Paused').waitFor();
    await draft(account, template, 2, { name: 'Spring bulbs' });
    await rowOf(page, 'Spring bulbs').waitFor();
    await said(page, 'Reconnecting');
    expectOnly(/status of 503/);
    await context.close();
  });

  it('go on for the others when one thing can’t be watched', async () => {
    const { page, context } = await inside();
    await page.goto(`${world.baseUrl}/console/${account.accountId}/campaigns/0190c8f2-0000-7000-8000-000000000000`);
    await said(page, 'Live');
    const other = await browser.open(context, `/console/${account.accountId}/campaigns`);
    await started(account, template, MANY, { name: 'Autumn' });
    await rowOf(other, 'Autumn').getByText('Sending').waitFor();
    await said(other, 'Live');
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('are those of the account that the page shows', async () => {
    const other = await world.account({ throughput: 1 });
    await world.unitOfWork.autocommit.affected(
      "UPDATE accounts SET organisation_id = $2, name = 'Second shop' WHERE id = $1",
      [other.accountId, account.organisationId],
    );
    await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    const streams = streamsOf(page);
    await rowOf(page, 'Autumn').getByText('Sending').waitFor();
    await page.getByRole('button', { name: /^Account: Test account/ }).click();
    await page.getByRole('menuitemradio', { name: 'Second shop' }).click();
    await page.getByText(/^A campaign sends one message to many people/).waitFor();
    expect(page.url()).toBe(`${world.baseUrl}/console/${other.accountId}/campaigns`);
    await until('the stream is of the second account', () =>
      [...streams].join().includes(`account=${other.accountId}`),
    );
    await said(page, 'Live');
    expect(await page.getByText('Autumn').count()).toBe(0);
    await page.goBack();
    await rowOf(page, 'Autumn').getByText('Sending').waitFor();
    await until(
      'the stream is of the first account again',
      () => streams.size === 1 && [...streams].join().includes(`account=${account.accountId}`),
    );
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('end with the session, and go on after signing in again', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    await rowOf(page, 'Autumn').getByText('Sending').waitFor();
    await said(page, 'Live');
    await world.parley.app.get(UserPasswordsService, { strict: false }).set(account.ownerId as RecordId, PASSWORD);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You were signed out').waitFor();
    await act(account, id, 'pause');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'Autumn').getByText('Paused').waitFor();
    await said(page, 'Live');
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('are missing while the device is offline, and come again by themselves', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    const { page, context } = await inside();
    await act(account, id, 'pause');
    await rowOf(page, 'Autumn').getByText('Paused').waitFor();
    await context.setOffline(true);
    await said(page, 'Offline');
    await page.getByText(/^Offline\. Showing \d\d:\d\d\.$/).waitFor();
    await act(account, id, 'cancel');
    await context.setOffline(false);
    await rowOf(page, 'Autumn').getByText('Cancelled').waitFor();
    await said(page, 'Live');
    expectOnly(/ERR_INTERNET_DISCONNECTED/);
    await context.close();
  });

  it('offer a newer page when the service has one, which the next screen then is', async () => {
    const { page, context } = await inside();
    await page.route(STREAM, async (route) => {
      const hello = { server_time: '2026-11-27T16:15:00.000Z', version: 'main-NEWER.js' };
      await route.fulfill({
        headers: { 'content-type': 'text/event-stream' },
        body: `event: hello\ndata: ${JSON.stringify(hello)}\n\n`,
      });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Reload for the new version' }).waitFor();
    await page.unroute(STREAM);
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await loaded;
    await heading(page, 'You');
    await said(page, 'Live');
    expect(await page.getByRole('button', { name: 'Reload for the new version' }).count()).toBe(0);
    expect(browser.takeComplaints()).toEqual([]);
    await context.close();
  });

  it('stop while the service is away, and go on when it is back', async () => {
    const id = await started(account, template, MANY, { name: 'Autumn' });
    // The next process sends to nobody: its network knows none of these phones.
    await act(account, id, 'pause');
    const { page, context } = await inside();
    await rowOf(page, 'Autumn').getByText('Paused').waitFor();
    await said(page, 'Live');
    await world.stop();
    await page.locator('.nav .live', { hasText: /Reconnecting|Offline/ }).waitFor();
    world = await World.start({ env });
    await act(account, id, 'cancel');
    await rowOf(page, 'Autumn').getByText('Cancelled').waitFor();
    await said(page, 'Live');
    expectOnly(/ERR_(?:CONNECTION|INCOMPLETE|EMPTY|SOCKET)|status of 503/);
    await context.close();
  });
});
