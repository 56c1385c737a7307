import type { Locator, Page } from 'playwright-core';
import { conversationOf } from '../../conversations/threads.js';
import type { Member } from '../../sessions/browser.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { ConsoleBrowser } from './console-browser.js';
import { type Customer, INBOX_ENV, InboxPages } from './inbox-pages.js';

/** A message as the network was asked to send it. */
interface Sent {
  readonly to?: string;
  readonly type?: string;
}

const composer = (page: Page): Locator => page.getByRole('region', { name: 'Answer' });
const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const option = (page: Page, name: string): Locator => page.getByRole('option', { name: new RegExp(name) });
const waiting = (page: Page): Locator => page.getByRole('log').locator('.msg.waiting');
/** What the service has of what was written from here. */
const outgoing = (page: Page): Locator => page.getByRole('log').locator('.msg.out:not(.waiting)');
const untilText = (page: Page, text: string): Promise<unknown> =>
  until(`the field has “${text}”`, async () => (await field(page).inputValue()) === text);

describe('the edges of the composer', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let pages: InboxPages;
  let greeting: string;
  let news: string;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
    pages = await InboxPages.start(world, browser);
    const body = {
      text: 'Hello {{1}}, your {{2}} is back. Shall we keep one?',
      examples: { '1': 'Ada', '2': 'apple tree' },
    };
    greeting = (await approvedTemplate(world, pages.account, { body })).name;
    news = (await approvedTemplate(world, pages.account, { body: { text: 'The bulbs are here' } })).name;
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const writer = async (name: string, text = 'Is it in stock?'): Promise<Customer> => {
    const customer = pages.customer(name);
    await pages.writes(customer, text);
    return customer;
  };
  const sentTo = async ({ phone }: Customer): Promise<Sent[]> => {
    const requests = await world.simulator.requests(pages.account.phone.phoneNumberId);
    const bodies = requests.flatMap(({ path, body }): Sent[] =>
      path.endsWith('/messages') ? [typeof body === 'string' ? JSON.parse(body) : body] : [],
    );
    return bodies.filter(({ to, type }) => to === `+${phone}` && type !== undefined).reverse();
  };
  const untilSent = (customer: Customer): Promise<Sent[]> =>
    until(`something is sent to ${customer.name}`, async () => {
      const sent = await sentTo(customer);
      return sent.length > 0 && sent;
    });
  const stateOf = ({ phone }: Customer) => conversationOf(pages.account, phone);
  const untilHeldBy = (customer: Customer, { userId }: Member): Promise<unknown> =>
    until(`${customer.name} is theirs`, async () => (await stateOf(customer)).assigned_to === userId);

  it('sends a template after a text that is still on its way, each of them once', async () => {
    const greta = await writer('Greta Holmvik');
    const { page } = await pages.inside(pages.pathTo(greta));
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/messages/send-message', async (route) => {
      await isLetGo;
      await route.continue();
    });
    await field(page).fill('The pots are in');
    await button(page, 'Send').click();
    await waiting(page).filter({ hasText: 'The pots are in' }).waitFor();
    await button(page, 'Choose a template').click();
    await option(page, news).click();
    await button(page, 'Send template').click();
    const busy = composer(page).getByRole('button', { name: 'Sending…', exact: true });
    await busy.waitFor();
    await busy.press('Enter');
    expect(await sentTo(greta)).toEqual([]);
    letGo();
    await field(page).waitFor();
    for (const hasText of ['The pots are in', 'The bulbs are here']) await outgoing(page).filter({ hasText }).waitFor();
    await until('nothing is on its way', async () => (await waiting(page).count()) === 0);
    expect((await sentTo(greta)).map(({ type }) => type)).toEqual(['text', 'template']);
    expect(await outgoing(page).allTextContents()).toEqual([
      expect.stringContaining('The pots are in'),
      expect.stringContaining('The bulbs are here'),
    ]);
    expect(await field(page).inputValue()).toBe('');
  });

  it('says why a template is refused with which somebody takes over, and keeps what they were writing', async () => {
    const dario = await writer('Dario Pellacosta');
    const [nura, ida] = [await pages.named('Nura Hallebek'), await pages.named('Ida Marloth')];
    await pages.assigns(dario, nura);
    const { page } = await pages.inside(pages.pathTo(dario), { who: ida });
    await field(page).fill('Half a sentence');
    await composer(page).getByText('Nura Hallebek has this conversation. Your text stays here.').waitFor();
    await button(page, 'Choose a template').click();
    await option(page, greeting).click();
    await page.getByLabel('Value 2').fill('apple tree');
    await button(page, 'Send template').click();
    await composer(page).getByText('Nura Hallebek has this conversation. Nothing was sent.').waitFor();
    await untilText(page, 'Half a sentence');
    expect((await stateOf(dario)).assigned_to).toBe(nura.userId);
    await page.route('**/messages/send', (route) =>
      route.fulfill({ status: 422, json: { detail: 'the template is paused' } }),
    );
    await button(page, 'Take over and send').click();
    await composer(page).getByText('Not sent: the template is paused.').waitFor();
    expect(await field(page).inputValue()).toBe('Half a sentence');
    expect(await waiting(page).count()).toBe(0);
    expect(await sentTo(dario)).toEqual([]);
    // What the browser itself says of the answer.
    expect(browser.takeComplaints()).toEqual([expect.stringContaining('status of 422')]);
    // They have the conversation now, and go on with their text.
    await untilHeldBy(dario, ida);
    await button(page, 'Send').click();
    await outgoing(page).filter({ hasText: 'Half a sentence' }).waitFor();
    expect(await untilSent(dario)).toMatchObject([{ type: 'text', text: { body: 'Half a sentence' } }]);
  });

  it.each([
    ['emoji-picker', 'Add an emoji', null],
    ['template-picker', 'Choose a template', 'Write a message instead'],
  ])('keeps the text when the file of the %s is missing, and says so', async (file, opens, leaves) => {
    const amina = await writer('Amina Tessoude');
    const { page } = await pages.inside(pages.pathTo(amina));
    await page.route(`**/console/assets/${file}-*.js`, (route) =>
      route.fulfill({ status: 404, json: { error: 'not_found', message: 'gone' } }),
    );
    await field(page).fill('Half a sentence');
    await button(page, opens).click();
    await composer(page)
      .getByText(/didn’t load\. Part of the page is missing\./)
      .waitFor();
    // Another attempt needs another page: the browser asks before the text is lost.
    let asks = '';
    page.once('dialog', (dialog) => {
      asks = dialog.type();
      void dialog.dismiss();
    });
    await button(page, 'Try again').click();
    await until('the browser asks', () => asks !== '');
    expect(asks).toBe('beforeunload');
    if (leaves !== null) await button(page, leaves).click();
    await untilText(page, 'Half a sentence');
    await button(page, 'Send').click();
    expect(await untilSent(amina)).toMatchObject([{ type: 'text', text: { body: 'Half a sentence' } }]);
  });

  it('keeps a template that is being filled in when the person writes meanwhile', async () => {
    const rui = await pages.closed('Rui Almendro');
    const { page } = await pages.inside(pages.pathTo(rui));
    await option(page, greeting).click();
    const value = page.getByLabel('Value 2');
    await value.click();
    await page.keyboard.type('apple ');
    await pages.writes(rui, 'Are you there?');
    await button(page, 'Write a message instead').waitFor();
    await page.keyboard.type('tree');
    expect(await value.inputValue()).toBe('apple tree');
    await button(page, 'Send template').click();
    await outgoing(page).filter({ hasText: 'Hello Rui, your apple tree is back' }).waitFor();
    expect(await untilSent(rui)).toMatchObject([{ type: 'template', template: { name: greeting } }]);
    // The window is open, so the next thing is a message.
    await field(page).waitFor();
  });
});
