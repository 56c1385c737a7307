import type { Page } from 'playwright-core';
import { draft } from '../../campaigns/campaigns.js';
import { approvedTemplate } from '../../support/templates.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, overflow, untilFocused } from './console-browser.js';
import { type Customer, dialog, INBOX_ENV, InboxPages } from './inbox-pages.js';

const WIDTHS = [1440, 1000, 768, 360, 320];
const pane = (page: Page) => page.getByRole('complementary', { name: /^About / });

interface Contact {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly opted_in: boolean;
}

describe('the person of a conversation', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    pages = await InboxPages.start(world, browser, { phones: 2 });
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const contactOf = async (customer: Customer): Promise<Contact> => {
    const { contact_id } = await pages.stateOf(customer);
    const found = await pages.account.api.get<{ contact: Contact }>(`/api/v1/contacts/${contact_id}`);
    return found.body.contact;
  };
  const changes = async (customer: Customer, change: object): Promise<void> => {
    await pages.account.api.patch(`/api/v1/contacts/${(await contactOf(customer)).id}`, change);
  };

  it('is shown with groups, tags, campaigns and other conversations', async () => {
    const customer = await pages.writer('Greta Holmvik');
    const { api, phones } = pages.account;
    await changes(customer, { email: 'greta@holmvik.example', company: 'Quillfern', tags: ['regular', 'terrace'] });
    const contact = await contactOf(customer);
    const group = await api.post<{ group: { id: string } }>('/api/v1/groups', { name: 'Spring list' });
    await api.post(`/api/v1/groups/${group.body.group.id}/contacts`, { contact_ids: [contact.id] });
    const { name: template } = await approvedTemplate(world, pages.account);
    const names = ['Bulbs', 'Seeds', 'Pots', 'Trees', 'Roses', 'Ferns'];
    for (const name of names) await draft(pages.account, template, [customer.phone], { name });
    await world.simulator.inbound({
      phone_number_id: phones[1]?.phoneNumberId,
      from: customer.phone,
      name: customer.name,
      type: 'text',
      text: 'Is this your other number?',
    });
    const { page, context } = await pages.inside(pages.pathTo(customer));
    const about = pane(page);
    for (const text of ['greta@holmvik.example', 'Quillfern', 'regular', 'terrace', 'Spring list', 'Not decided']) {
      await about.getByText(text, { exact: true }).waitFor();
    }
    await about.getByRole('button', { name: 'Show all 6' }).waitFor();
    expect(await about.getByRole('link', { name: /^(?:Bulbs|Seeds|Pots|Trees|Roses|Ferns)$/ }).count()).toBe(5);
    await about.getByRole('button', { name: 'Show all 6' }).click();
    await about.getByRole('link', { name: 'Bulbs' }).waitFor();
    await untilFocused(page, 'Bulbs');
    await about.getByRole('link', { name: /^With / }).click();
    await page.waitForURL(`**/inbox/${customer.phone}/${phones[1]?.id}*`);
    await context.close();
  });

  it('is edited in place, and refused in the API’s words at the field', async () => {
    const customer = await pages.writer('Felix Narrowby');
    await changes(customer, { tags: ['winter', 'shade'] });
    const { page, context } = await pages.inside(pages.pathTo(customer));
    const about = pane(page);
    await about.getByRole('button', { name: 'Edit Felix Narrowby' }).click();
    await untilFocused(page, 'First name');
    await about.getByLabel('Last name').fill('Farnby');
    await about.getByLabel('Email').fill('nowhere');
    await about.getByRole('button', { name: 'Remove winter' }).click();
    await untilFocused(page, 'New tag');
    await about.getByLabel('New tag').fill('orchard, old');
    await page.keyboard.press('Enter');
    await about.getByRole('button', { name: 'Remove orchard, old' }).waitFor();
    await about.getByLabel('New tag').fill('regular');
    await about.getByRole('button', { name: 'Save' }).click();
    await about.getByText(/^email must be/).waitFor();
    expect(await about.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await untilFocused(page, 'Email');
    await about.getByLabel('Email').fill('');
    await about.getByRole('button', { name: 'Save' }).click();
    await about.getByRole('button', { name: 'Edit Felix Farnby' }).waitFor();
    await untilFocused(page, 'Edit');
    await page.getByRole('heading', { level: 1, name: 'Felix Farnby' }).waitFor();
    const { last_name, email, tags } = await contactOf(customer);
    expect({ last_name, email, tags }).toEqual({
      last_name: 'Farnby',
      email: null,
      tags: ['shade', 'orchard, old', 'regular'],
    });
    await about.getByRole('button', { name: 'Edit' }).click();
    await about.getByLabel('First name').fill('Somebody else');
    await page.keyboard.press('Escape');
    await about.getByRole('button', { name: 'Edit Felix Farnby' }).waitFor();
    await context.close();
  });

  it('is opted out by an agent after a question, and in again by a manager only', async () => {
    const customer = await pages.writer('Amina Tessoude');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await pane(page).getByText('Not decided', { exact: true }).waitFor();
    await pane(page).getByText('Campaigns reach them, since nobody opted out.').waitFor();
    expect(await pane(page).getByText('Opted in', { exact: true }).count()).toBe(0);
    await pane(page).getByRole('button', { name: 'Opt out…' }).click();
    await dialog(page).getByText('Opt Amina out of marketing?').waitFor();
    await dialog(page).getByRole('button', { name: 'Leave it' }).click();
    expect((await contactOf(customer)).opted_in).toBe(true);
    await pane(page).getByRole('button', { name: 'Opt out…' }).click();
    await dialog(page).getByRole('button', { name: 'Opt out' }).click();
    await pane(page).getByText('Opted out', { exact: true }).waitFor();
    await pane(page)
      .getByText(/^Since .*by your organisation, by hand or by the API$/)
      .waitFor();
    expect((await contactOf(customer)).opted_in).toBe(false);
    expect(await pane(page).getByRole('button', { name: /opt/i }).count()).toBe(0);
    await context.close();
    const manager = await pages.inside(pages.pathTo(customer), { role: 'manager' });
    await pane(manager.page).getByRole('button', { name: 'Lift the opt-out…' }).click();
    await dialog(manager.page).getByRole('button', { name: 'Opt in' }).click();
    await pane(manager.page).getByText('Opted in', { exact: true }).waitFor();
    await pane(manager.page)
      .getByText(/^Since .*by your organisation, by hand or by the API$/)
      .waitFor();
    expect(await pane(manager.page).getByText('Campaigns reach them').count()).toBe(0);
    expect((await contactOf(customer)).opted_in).toBe(true);
    await manager.context.close();
  });

  it('is shown as opted out as soon as they write STOP', async () => {
    const customer = await pages.writer('Rui Almendro');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await pane(page).getByText('Not decided', { exact: true }).waitFor();
    await pages.writes(customer, 'STOP');
    await pane(page).getByText('Opted out', { exact: true }).waitFor();
    await pane(page)
      .getByText(/by themselves, with a message$/)
      .waitFor();
    await context.close();
  });

  it('says when the person was deleted, and what did not load', async () => {
    const customer = await pages.writer('Sana Mirzavel');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    const { id } = await contactOf(customer);
    await page.route(`**/api/v1/contacts/${id}`, (route) =>
      route.fulfill({ status: 404, json: { error: 'not_found', message: `contact ${id} not found` } }),
    );
    await page.reload();
    await pane(page).getByText('This person is no longer among your contacts.').waitFor();
    await page.unroute(`**/api/v1/contacts/${id}`);
    await page.route(`**/api/v1/contacts/${id}`, (route) =>
      route.fulfill({ status: 403, json: { error: 'forbidden', message: 'no' } }),
    );
    await page.reload();
    await pane(page).getByText('The person didn’t load.').waitFor();
    await page.unroute(`**/api/v1/contacts/${id}`);
    await pane(page).getByRole('button', { name: 'Try again' }).click();
    await pane(page).getByRole('button', { name: 'Edit Sana Mirzavel' }).waitFor();
    await context.close();
  });

  it('lies over the thread where there is no room beside it', async () => {
    const customer = await pages.writer('Wiktor Zalenko');
    const { page, context } = await pages.inside(pages.pathTo(customer), { viewport: { width: 1000, height: 800 } });
    const details = page.getByRole('button', { name: 'Details' });
    await details.click();
    await dialog(page).getByRole('button', { name: 'Edit Wiktor Zalenko' }).waitFor();
    await untilFocused(page, 'BUTTON');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await details.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Details');
    await page.setViewportSize({ width: 360, height: 800 });
    await details.click();
    await dialog(page).getByRole('button', { name: 'Opt out…' }).click();
    await page.getByText('Opt Wiktor out of marketing?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Opt Wiktor out of marketing?').waitFor({ state: 'detached' });
    expect(await dialog(page).evaluate('document.querySelector("dialog.side").clientWidth')).toBe(360);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await details.click();
    await dialog(page).waitFor();
    await page.setViewportSize({ width: 1440, height: 800 });
    await pane(page).getByText('Not decided', { exact: true }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await context.close();
  });

  it.each(['light', 'dark'] as const)('fits every width and breaks no rule of axe, %s', async (colorScheme) => {
    const customer = await pages.writer('Dario Pellacosta');
    await changes(customer, {
      tags: ['a tag that goes on and on and on and on and on and on, and on'],
      opted_in: false,
    });
    const { page, context } = await pages.inside(pages.pathTo(customer), { colorScheme, role: 'manager' });
    await pane(page).getByText('Was in none.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      if (width < 1200 && (await dialog(page).count()) === 0)
        await page.getByRole('button', { name: 'Details' }).click();
      await page.getByText('Lift the opt-out…').waitFor();
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await dialog(page).getByRole('button', { name: /^Edit/ }).click();
    await dialog(page).getByLabel('First name').fill('');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('Enter a name.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await context.close();
  });
});
