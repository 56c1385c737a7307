import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { SignInLinksService } from '../../../src/sessions/sign-in-links.service.js';
import type { RecordId } from '../../../src/values/record-id.js';
import { ROOT } from '../../sandbox/program.js';
import { until } from '../../support/until.js';
import type { TestAccount, World } from '../../support/world.js';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];
const AXE = readFileSync(createRequire(path.join(ROOT, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page may take, milliseconds: the machine may be busy. */
const TIMEOUT_MS = 30_000;
/** What a browser says by itself of answers that a page expects. */
const EXPECTED = /^Failed to load resource: the server responded with a status of (?:400|401|403|404|409|429) /;

/** What makes people’s sessions work over plain HTTP. */
export const PLAIN_HTTP = { PARLEY_ROLES: 'api', SESSION_COOKIE: 'parley_test' };

/** A page of the console, and whatever it did that it must not do. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** A Chromium without a profile; its pages must be silent and ask no other server. */
export class ConsoleBrowser {
  private readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly baseUrl: string,
  ) {}

  static async start(baseUrl: string): Promise<ConsoleBrowser> {
    // The path of Chromium’s socket may have 107 characters, whatever the spec is called.
    const env = { ...process.env, TMPDIR: process.env['TEST_RUN'] ?? tmpdir() };
    const program = PROGRAM === undefined ? {} : { executablePath: PROGRAM };
    const browser = await chromium.launch({ args: FLAGS, env, ...program });
    return new ConsoleBrowser(browser, baseUrl);
  }

  stop(): Promise<void> {
    return this.browser.close();
  }

  /** Opens a path in a browser of its own. */
  async visit(to: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    return { context, page: await this.open(context, to) };
  }

  /** Opens a path in another tab. */
  async open(context: BrowserContext, to: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('console', (message) => {
      if (!EXPECTED.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== this.baseUrl) {
        this.complaints.push(`asked ${request.url()}`);
      }
    });
    await page.goto(this.baseUrl + to);
    return page;
  }

  /** Closes all pages, which would otherwise go on asking beside the next test. */
  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  /** What pages have said or asked since the last call. */
  takeComplaints(): string[] {
    return this.complaints.splice(0);
  }
}

/** The path of a link that signs in the owner of an account; leads to a screen of it, by default to the first. */
export async function linkOf(world: World, { ownerId, accountId }: TestAccount, screen?: string): Promise<string> {
  const { token } = await world.parley.app.get(SignInLinksService, { strict: false }).issue(ownerId as RecordId);
  return `/console/welcome${screen === undefined ? '' : `?to=${accountId}/${screen}`}#${token}`;
}

/** Waits for the heading of a screen. */
export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Comes in by a link and chooses a password; ends on the screen that the link leads to, by default the first. */
export async function enterByLink(page: Page, password: string, screen = 'Inbox'): Promise<void> {
  await follow(page);
  await heading(page, 'Choose a password');
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await heading(page, screen);
}

/** Goes to the settings of the person who has signed in. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await heading(page, 'You');
  await page.getByText('This one').waitFor();
}

/** Uses the link that led to the page. */
export async function follow(page: Page): Promise<void> {
  await heading(page, 'Sign in to Parley');
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Waits until whatever moves for a moment has moved. */
const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished)))`;

/** The rules of axe that a page breaks, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  // In the middle of a transition, colours are those of neither theme.
  await page.evaluate(SETTLED);
  return page.evaluate<
    string[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join(' | ')))`);
}

/** As {@link axeViolations}, at a wide and at a narrow window only, between which the rules find the same. */
export const violationsAt = async (page: Page, width: number): Promise<string[]> =>
  width === 1440 || width === 360 ? axeViolations(page) : [];

/** How far a page is wider than its window, CSS pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The name of what has focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim() || document.activeElement.tagName',
  );

/** Waits until something has focus: it moves a moment after what is shown. @param name as {@link focused} says it */
export const untilFocused = (page: Page, name: string): Promise<unknown> =>
  until(`${name} has focus`, async () => (await focused(page)) === name);
