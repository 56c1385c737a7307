import { SAMPLES } from '../../support/media-samples.js';
import type { RecordedRequest } from '../../support/simulator-control.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { uploadUpstream } from '../../templates/upstream.js';
import { axeViolations, ConsoleBrowser, overflow, untilFocused } from './console-browser.js';
import { type Customer, dialog, field, INBOX_ENV, InboxPages, option } from './inbox-pages.js';

const WIDTHS = [1440, 1000, 768, 360, 320];

/** The template messages that the network was asked to send. */
const templatesIn = (requests: readonly RecordedRequest[]) =>
  requests.flatMap(({ path, body }): { to: string; template: { name: string; components: unknown[] } }[] => {
    if (!path.endsWith('/messages')) return [];
    const said = typeof body === 'string' ? JSON.parse(body) : body;
    return said?.type === 'template' ? [said] : [];
  });

describe('a template for one person', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;
  let greeting: string;
  let news: string;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    pages = await InboxPages.start(world, browser, { phones: 2 });
    greeting = (
      await approvedTemplate(world, pages.account, {
        header: { format: 'TEXT', text: 'Order {{1}}', text_example: { '1': '20418' } },
        body: {
          text: 'Hello {{1}}, your {{2}} is back. Shall we keep one?',
          examples: { '1': 'Ada', '2': 'apple tree' },
        },
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'See it', url: 'https://shop.example/{{1}}', url_example: 'A-17' },
        ],
      })
    ).name;
    news = (
      await approvedTemplate(world, pages.account, { category: 'MARKETING', body: { text: 'The bulbs are here' } })
    ).name;
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const sent = async (index = 0) =>
    templatesIn(await world.simulator.requests(pages.account.phones[index]?.phoneNumberId ?? ''));
  const sentTo = async ({ phone }: Customer) => (await sent()).filter(({ to }) => to === `+${phone}`);
  const optOut = async (customer: Customer): Promise<void> => {
    const { contact_id } = await pages.stateOf(customer);
    await pages.account.api.patch(`/api/v1/contacts/${contact_id}`, { opted_in: false });
  };

  it('reaches the person with its values, where the window is closed', async () => {
    const customer = await pages.closed('Wiktor Zalenko');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await option(page, greeting).click();
    expect(await page.getByLabel('Value 1', { exact: true }).inputValue()).toBe('Wiktor');
    await page.getByText('For example: apple tree').waitFor();
    await page.getByText('“Hello …, your ▁▁ is back. Shall we keep one?”').waitFor();
    await page.getByRole('button', { name: 'Send template' }).click();
    await page.getByText('Enter a value.').first().waitFor();
    const title = page.getByLabel('Value 1 in the title');
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('Enter a value.').count()).toBe(3);
    await untilFocused(page, 'Value 1 in the title');
    expect(await sentTo(customer)).toEqual([]);
    await title.fill('20418');
    await page.getByLabel('Value 2').fill('Apple     tree');
    await page.getByLabel('End of the link of “See it”').fill('A-17');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/must not contain line breaks, tabs or more than 4 spaces/).waitFor();
    await untilFocused(page, 'Value 2');
    expect(await sentTo(customer)).toEqual([]);
    await page.getByLabel('Value 2').fill('apple tree');
    await page.locator('.picker .paper').getByText('Hello Wiktor, your apple tree is back.').waitFor();
    await page.keyboard.press('Control+Enter');
    await until('the template is sent', async () => (await sentTo(customer)).length >= 1);
    const [{ to, template } = { to: '', template: { name: '', components: [] } }] = await sentTo(customer);
    expect([to, template.name]).toEqual([`+${customer.phone}`, greeting]);
    expect(template.components).toEqual([
      { type: 'header', parameters: [{ type: 'text', text: '20418' }] },
      { type: 'body', parameters: ['Wiktor', 'apple tree'].map((text) => ({ type: 'text', text })) },
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'Yes' }] },
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'A-17' }] },
    ]);
    await context.close();
  });

  it('is not asked for again at once, and gives way to the field when they answer', async () => {
    const customer = await pages.closed('Sana Mirzavel');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    const sends = async (): Promise<void> => {
      await option(page, news).click();
      await page.getByRole('button', { name: 'Send template' }).click();
      const line = page.getByText(/^Template sent \d\d:\d\d\. You can write freely once they answer\.$/);
      await line.waitFor();
      await untilFocused(page, (await line.textContent()) ?? '');
      expect(await page.getByLabel('Search templates').count()).toBe(0);
    };
    await sends();
    await page.getByRole('button', { name: 'Send another' }).click();
    await untilFocused(page, 'Search templates');
    await sends();
    await pages.writes(customer, 'Lovely');
    await field(page).waitFor();
    expect(await page.getByText('Template sent').count()).toBe(0);
    expect(await sentTo(customer)).toHaveLength(2);
    await context.close();
  });

  it('offers no marketing to somebody who opted out, and says why', async () => {
    const customer = await pages.closed('Chandra Velupan');
    await optOut(customer);
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await option(page, news).getByText('Opted out of marketing').waitFor();
    await option(page, news).click({ force: true });
    expect(await option(page, news).getAttribute('aria-selected')).toBe('false');
    expect(await page.getByRole('button', { name: 'Send template' }).count()).toBe(0);
    await option(page, greeting).click();
    await page.getByRole('button', { name: 'Send template' }).waitFor();
    await context.close();
  });

  it('takes a file from the computer, and offers only what can be sent from here', async () => {
    const { account } = pages;
    const { wabaId } = account.phone;
    const example = { header_handle: [await uploadUpstream(world.simulator, 'image/png')] };
    const header = { type: 'HEADER', format: 'IMAGE', example };
    const body = { type: 'BODY', text: 'Hi {{first_name}}', example: { body_text_named_params: [] } };
    const named = { parameter_format: 'NAMED' };
    await world.simulator.hold(wabaId, 'with_picture', [header, body], named);
    const card = { components: [header, { type: 'BODY', text: 'Pots' }] };
    const cards = { type: 'CAROUSEL', cards: [card, card] };
    await world.simulator.hold(wabaId, 'with_cards', [{ type: 'BODY', text: 'Look' }, cards]);
    const paused = await world.simulator.hold(wabaId, 'was_paused', [{ type: 'BODY', text: 'Hello' }]);
    await account.api.post('/api/v1/templates/sync');
    await world.simulator.review(paused.id, 'pause');
    await account.api.post('/api/v1/templates/sync');
    const customer = await pages.closed('Felix Narrowby');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await option(page, 'with_cards').getByText('Has cards: a campaign or the API sends it').waitFor();
    expect(await option(page, 'was_paused').count()).toBe(0);
    await option(page, 'with_picture').click();
    expect(await page.getByLabel('First name').inputValue()).toBe('Felix');
    await page.getByRole('button', { name: 'Send template' }).click();
    await page.getByText('Enter an address, or upload a file.').waitFor();
    const file = page.locator('.picker input[type="file"]');
    await file.setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: SAMPLES.PDF });
    await page.getByText('This file is of another kind than the template’s.').waitFor();
    await file.setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer: SAMPLES.PNG });
    await page.locator('.picker .media').getByText('tree.png').waitFor();
    await page.getByRole('button', { name: 'Send template' }).click();
    await until('the picture is sent', async () => (await sentTo(customer)).length >= 1);
    const [{ template } = { template: { components: [] } }] = await sentTo(customer);
    expect(template.components).toMatchObject([
      { type: 'header', parameters: [{ type: 'image', image: { id: expect.any(String) } }] },
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Felix' }] },
    ]);
    await context.close();
  });

  it('is found and chosen with the keyboard alone', async () => {
    const customer = await pages.closed('Rui Almendro');
    const { page, context } = await pages.inside(pages.pathTo(customer));
    await page.getByLabel('Search templates').fill('no such template');
    await page.getByText('No template has “no such template” in its name or text.').waitFor();
    await page.getByLabel('Search templates').fill('bulbs');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('it is chosen', async () => (await option(page, news).getAttribute('aria-selected')) === 'true');
    await page.locator('.picker .paper').getByText('The bulbs are here').waitFor();
    await page.getByLabel('Search templates').fill('');
    await option(page, news).focus();
    for (const key of ['Home', 'End']) await page.keyboard.press(key);
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
    await context.close();
  });

  it('opens the conversation with a number that never wrote, as that of the sender', async () => {
    const who = await pages.member();
    const { page, context } = await pages.inside(pages.pathTo(), { who });
    const newcomer = pages.customer('Tove Arnhild');
    await page.getByRole('button', { name: 'New conversation' }).first().click();
    const number = dialog(page).getByLabel('Number');
    await number.waitFor();
    await untilFocused(page, 'Number, or name');
    await number.fill('0151 23');
    await dialog(page).getByText('Begin with the country code, such as 44.').waitFor();
    await number.fill(`+${newcomer.phone.slice(0, 2)} (${newcomer.phone.slice(2, 5)}) ${newcomer.phone.slice(5)}`);
    await dialog(page).getByLabel('Name, if you like').fill(newcomer.name);
    await dialog(page)
      .getByLabel('Send from')
      .selectOption(pages.account.phones[1]?.id ?? '');
    await option(page, news).click();
    await dialog(page).getByRole('button', { name: 'Send template' }).click();
    await page.waitForURL(`**/inbox/${newcomer.phone}/${pages.account.phones[1]?.id}*`);
    await page.getByRole('heading', { level: 1, name: newcomer.name }).waitFor();
    expect((await sent(1)).map(({ to, template }) => [to, template.name])).toEqual([[`+${newcomer.phone}`, news]]);
    expect((await pages.stateOf(newcomer)).assigned_to).toBe(who.userId);
    await context.close();
  });

  it('names a person who is known, and leads to their conversation where there is one', async () => {
    const customer = await pages.closed('Amina Tessoude');
    const { page, context } = await pages.inside();
    await page.getByRole('button', { name: 'New conversation' }).first().click();
    await dialog(page).getByLabel('Number').fill(customer.phone);
    await dialog(page).getByText('Amina Tessoude has a conversation already.').waitFor();
    await dialog(page)
      .getByLabel('Send from')
      .selectOption(pages.account.phones[1]?.id ?? '');
    await dialog(page).getByText('This is Amina Tessoude.').waitFor();
    await option(page, greeting).click();
    expect(await dialog(page).getByLabel('Value 1', { exact: true }).inputValue()).toBe('Amina');
    await dialog(page)
      .getByLabel('Send from')
      .selectOption(pages.account.phones[0]?.id ?? '');
    await dialog(page).getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(`**/inbox/${customer.phone}/${pages.account.phone.id}*`);
    await dialog(page).waitFor({ state: 'detached' });
    await context.close();
  });

  it.each(['light', 'dark'] as const)('fits every width and breaks no rule of axe, %s', async (colorScheme) => {
    const customer = await pages.closed('Dario Pellacosta');
    const { page, context } = await pages.inside(pages.pathTo(customer), { colorScheme });
    await option(page, greeting).click();
    await page.getByRole('button', { name: 'Send template' }).click();
    await page.getByText('Enter a value.').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(world.baseUrl + pages.pathTo());
    await page.getByRole('button', { name: 'New conversation' }).first().waitFor();
    await page.keyboard.press('n');
    await dialog(page).getByLabel('Number').fill(pages.customer('').phone);
    await option(page, greeting).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await axeViolations(page)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await context.close();
  });
});
