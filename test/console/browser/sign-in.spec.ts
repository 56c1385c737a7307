import type { Page } from 'playwright-core';
import { type TestAccount, World } from '../../support/world.js';
import {
  ConsoleBrowser,
  enterByLink,
  focused,
  follow,
  heading,
  linkOf,
  openSettings,
  PLAIN_HTTP,
} from './console-browser.js';

const PASSWORD = 'a long walk by the sea';

describe('signing in', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let account: TestAccount;
  let email: string;

  beforeAll(async () => {
    world = await World.start({ env: PLAIN_HTTP });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    account = await world.account();
    email = `owner-${account.ownerId}@example.test`;
  });
  afterEach(() => expect(browser.takeComplaints()).toEqual([]));

  const signIn = async (page: Page, password: string): Promise<void> => {
    await heading(page, 'Sign in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('by a link, with a new password, out, and in with the password', async () => {
    const link = await linkOf(world, account);
    const { page, context } = await browser.visit(link);
    await enterByLink(page, PASSWORD);
    expect(page.url()).toBe(`${world.baseUrl}/console/${account.accountId}/inbox`);
    expect(await page.title()).toBe('Inbox · Parley');
    await openSettings(page);
    expect(await page.title()).toBe('You · Parley');
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort()')).toEqual([
      'parley.enter-sends',
      'parley.inbox-order',
      'parley.notifications',
      'parley.receipts',
      'parley.shortcuts',
      'parley.sound',
      'parley.theme',
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, PASSWORD);
    await heading(page, 'Inbox');
    const again = await browser.open(context, link);
    await follow(again);
    await heading(again, 'This link no longer works');
    await context.close();
  });

  it('by a link that leads to a screen, and never to another place', async () => {
    const to = `${account.accountId}/settings/inbox`;
    for (const [wanted, screen] of [
      [encodeURIComponent(to), 'Inbox'],
      ['../../docs', 'Inbox'],
      ['/somewhere.example/', 'Inbox'],
    ]) {
      const link = (await linkOf(world, account)).replace('#', `?to=${wanted}#`);
      const { page, context } = await browser.visit(link);
      expect(page.url()).toBe(`${world.baseUrl}/console/welcome`);
      await enterByLink(page, PASSWORD, screen);
      const path = wanted === encodeURIComponent(to) ? to : `${account.accountId}/inbox`;
      await page.waitForURL(`${world.baseUrl}/console/${path}`);
      await context.close();
    }
  });

  it('takes the secret of a link out of the address and the history', async () => {
    const { page, context } = await browser.visit('/console/sign-in');
    await heading(page, 'Sign in');
    await page.goto(world.baseUrl + (await linkOf(world, account)));
    await heading(page, 'Sign in to Parley');
    expect(page.url()).toBe(`${world.baseUrl}/console/welcome`);
    // Another one, in the address of the open page.
    const other = (await linkOf(world, account)).split('#')[1];
    await page.evaluate(`location.hash = ${JSON.stringify(other)}`);
    await page.waitForURL(`${world.baseUrl}/console/welcome`);
    await follow(page);
    await heading(page, 'Choose a password');
    expect(page.url()).toBe(`${world.baseUrl}/console/welcome`);
    await page.reload();
    await heading(page, 'Choose a password');
    await context.close();
  });

  it('says what is wrong with a password before it is sent, and what Parley says about it', async () => {
    const { page, context } = await browser.visit(await linkOf(world, account));
    await follow(page);
    await heading(page, 'Choose a password');
    await page.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('5 of at least 12 characters.').waitFor();
    await page.getByLabel('New password').fill(`my ${email}`);
    await page.keyboard.press('Enter');
    await page.locator('.wrong', { hasText: /./, hasNotText: 'characters.' }).waitFor();
    expect(await focused(page)).toBe('New password');
    await context.close();
  });

  it('keeps the email after a wrong password, and moves to the password', async () => {
    const { page, context } = await browser.visit('/console/');
    await signIn(page, 'not the password');
    await page.getByText('Email or password is wrong.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    expect(await focused(page)).toBe('Password');
    await context.close();
  });

  it('counts down when there were too many attempts', async () => {
    const { page, context } = await browser.visit('/console/');
    await page.clock.install();
    await page.route('**/api/v1/session', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '600' },
            json: { error: 'rate_limited', message: 'too many' },
          })
        : route.continue(),
    );
    await signIn(page, PASSWORD);
    await page.getByText('Too many attempts.').waitFor();
    await page.getByRole('button', { name: /^Try again in / }).waitFor();
    await page.clock.runFor(600_000);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  it('asks which organisation when the password fits several', async () => {
    const { page, context } = await browser.visit('/console/');
    const asked: unknown[] = [];
    await page.route('**/api/v1/session', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked.push(route.request().postDataJSON());
      const organisations = ['Quillfern', 'Brockwell'].map((name, at) => ({
        organisation_id: `0190c8f2-0000-7000-8000-00000000000${at}`,
        name,
      }));
      return route.fulfill({ json: { status: 'success', organisations } });
    });
    await signIn(page, PASSWORD);
    await page.getByLabel('Brockwell').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByLabel('Brockwell').isVisible()).resolves.toBe(true);
    expect(asked.at(-1)).toEqual({
      email,
      password: PASSWORD,
      organisation_id: '0190c8f2-0000-7000-8000-000000000001',
    });
    await context.close();
  });

  it('signs out the other tabs, and a page whose session has ended asks again and stays as it was', async () => {
    const { page, context } = await browser.visit(await linkOf(world, account));
    await enterByLink(page, PASSWORD);
    await openSettings(page);
    const other = await browser.open(context, `/console/${account.accountId}/settings/you`);
    await heading(other, 'You');
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(page, 'Sign in');
    await signIn(page, PASSWORD);
    await heading(page, 'You');

    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('a short walk in the hills');
    const elsewhere = await browser.visit('/console/');
    await signIn(elsewhere.page, PASSWORD);
    await heading(elsewhere.page, 'Inbox');
    await openSettings(elsewhere.page);
    await elsewhere.page.getByRole('button', { name: /^Sign out Chrome/ }).click();
    await elsewhere.page.getByText(/is signed out\./).waitFor();

    await page.getByRole('dialog').getByText('You were signed out').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('New password').inputValue()).toBe('a short walk in the hills');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed. Every other session has ended.').waitFor();
    await Promise.all([context.close(), elsewhere.context.close()]);
  });
});
