import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { act, campaignOf, draft, started, untilCampaign } from '../../campaigns/campaigns.js';
import { inRole } from '../../sessions/browser.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, type World } from '../../support/world.js';
import type { ConsoleBrowser, Visit } from './console-browser.js';

/** With another name the cookie needs no TLS. */
export const CAMPAIGN_ENV = { SESSION_COOKIE: 'parley_test' };
/** Nobody can wait for so many at one a second. */
export const MANY = 500;
export const NAME = 'Spring bulbs, early access';

/** A template with all that a phone shows around the text. */
const TEMPLATE = {
  header: { format: 'TEXT', text: 'Early access for you' },
  body: {
    text: 'Hello {{1}}, the bulbs are in. {{2}} takes 15 % off until Sunday.',
    examples: { '1': 'Pia', '2': 'TULIP15' },
  },
  footer: { text: 'Reply STOP to opt out' },
  buttons: [{ type: 'QUICK_REPLY', text: 'Not for me' }],
};
const VALUES = { name: NAME, body_data: { '1': { contact_field: 'first_name', fallback: 'there' }, '2': 'TULIP15' } };

/** A number whose end decides what the network does; see docs/simulator.md. */
const special = (end: number): string => `491${uniqueDigits().slice(-5)}99900${String(end).padStart(2, '0')}`;
/** It fails after it was accepted: the number may not be on WhatsApp. */
const unreachable = (): string => special(1);
/** The person taps the first quick reply. */
const taps = (): string => special(5);
/** The person reads it, whatever else goes wrong. */
const reads = (): string => special(9);

interface VisitOptions extends BrowserContextOptions {
  readonly role?: 'manager' | 'agent';
  readonly query?: string;
}

/** An account with a phone that is fast and one that sends one message a second, and the pages of its campaigns. */
export class CampaignPages {
  private constructor(
    private readonly world: World,
    private readonly browser: ConsoleBrowser,
    readonly account: TestAccount,
    private readonly template: string,
  ) {}

  static async start(world: World, browser: ConsoleBrowser): Promise<CampaignPages> {
    const account = await world.account({ credits: 10 * MANY, phones: 2, throughput: 1 });
    await world.unitOfWork.autocommit.affected(
      'UPDATE business_phones SET throughput = 0 WHERE account_id = $1 AND id = $2',
      [account.accountId, account.phone.id],
    );
    const { name } = await approvedTemplate(world, account, TEMPLATE);
    return new CampaignPages(world, browser, account, name);
  }

  /** Cancels what still runs. */
  async stop(): Promise<void> {
    await this.world.simulator.behave({ late_error: null });
    const { body } = await this.account.api.get<{ campaigns: { campaign_id: string }[] }>(
      '/api/v1/campaigns/?status=running&limit=100',
    );
    for (const { campaign_id } of body.campaigns) await act(this.account, campaign_id, 'cancel');
  }

  pathTo(id: string, query = ''): string {
    return `/console/${this.account.accountId}/campaigns/${id}${query}`;
  }

  /** Starts a campaign that will not end by itself. */
  begun(): Promise<string> {
    return started(this.account, this.template, MANY, { ...VALUES, waba_phone_id: this.account.phones[1]?.id });
  }

  /** A draft for seven people: three read it, one taps, one can't get it, and two fail by a fault of the network. */
  async draft(): Promise<string> {
    await this.world.simulator.behave({ late_error: { code: 131000, rate: 1 } });
    const contacts = [
      { phone: reads(), name: 'Pia Vantrell' },
      { phone: reads(), name: 'Mads Orrinder' },
      { phone: reads(), name: 'Leyla Askerin' },
      { phone: taps(), name: 'Sana Mirzavel' },
      { phone: unreachable(), name: 'Benno Kastelier' },
      { phone: uniquePhone(), name: 'Rui Almendro' },
      { phone: uniquePhone(), name: 'Ida Marloth' },
    ];
    return draft(this.account, this.template, 0, { ...VALUES, contacts });
  }

  /** The same, when all is done. */
  async ended(): Promise<string> {
    const id = await this.draft();
    await act(this.account, id, 'send');
    await until('everything is reported', async () => {
      const { failed_count, clicked_count, read_count } = await campaignOf(this.account, id);
      return failed_count === 3 && clicked_count === 1 && read_count === 4;
    });
    await untilCampaign(this.account, id, 'completed');
    await this.world.simulator.behave({ late_error: null });
    return id;
  }

  /** Opens a campaign as somebody who has just signed in. */
  async inside(id: string, { role = 'manager', query = '', ...options }: VisitOptions = {}): Promise<Visit> {
    const { cookie } = await inRole(this.world, this.account, role);
    const [name = '', value = ''] = (cookie ?? '').split('=');
    const session = {
      name,
      value,
      domain: new URL(this.world.baseUrl).hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict' as const,
    };
    const storageState = { cookies: [session], origins: [] };
    const visit = await this.browser.visit(this.pathTo(id, query), { ...options, storageState });
    await visit.page.getByRole('heading', { level: 1, name: NAME }).waitFor();
    return visit;
  }
}

/** Waits until the heading says a status. */
export const status = (page: Page, text: string): Promise<void> =>
  page.locator('h1 .pill', { hasText: text }).waitFor();

/** Waits until a step of the funnel has a figure. */
export const step = (page: Page, name: string, figure: number): Promise<void> =>
  page.locator('.funnel a', { hasText: new RegExp(`^${name} ${figure} `) }).waitFor();

/** The rows of the table of people. */
export const rows = (page: Page): Locator => page.locator('.people tbody tr');

export const rowCount = (page: Page, count: number): Promise<true> =>
  until(`there are ${count} rows`, async () => (await rows(page).count()) === count);

/** Filters the people by a tab. */
export const choose = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name }).click();

export const dialog = (page: Page): Locator => page.getByRole('dialog');
