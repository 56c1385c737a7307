import { conversationOf } from '../../conversations/threads.js';
import { until } from '../../support/until.js';
import { uniqueDigits, World } from '../../support/world.js';
import { ConsoleBrowser, heading, untilFocused } from './console-browser.js';
import {
  actions,
  button,
  field,
  has,
  hold,
  INBOX_ENV,
  InboxPages,
  inThread,
  list,
  outgoing,
  posted,
  untilText,
} from './inbox-pages.js';

describe('the edges of the inbox', () => {
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
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  it('shows somebody without a number as soon as they write, and answers them', async () => {
    const { accountId, phone } = pages.account;
    const userId = `US.${uniqueDigits()}`;
    const says = async (text: string): Promise<void> => {
      const { callback_status } = await world.simulator.inbound({
        phone_number_id: phone.phoneNumberId,
        from_user_id: userId,
        name: 'Oren Castlebay',
        type: 'text',
        text,
      });
      expect(callback_status).toBe(200);
    };
    const who = await pages.member();
    const { page } = await pages.inside(pages.pathTo(null, '?view=unassigned'), { who });
    await page.locator('.nav .live', { hasText: 'Live' }).waitFor();
    await says('Is the kit in?');
    const row = list(page).getByRole('link').filter({ hasText: 'Oren Castlebay' });
    await row.getByText('Is the kit in?').waitFor();
    await list(page).locator('.list-body').hover();
    await row.click();
    await heading(page, 'Oren Castlebay');
    await page.locator('.thread-head').getByText(userId).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${accountId}/inbox/${userId}/${phone.id}`);
    await inThread(page, 'Is the kit in?');
    await says('The blue one');
    await inThread(page, 'The blue one');
    await field(page).fill('Yes, since Monday');
    await button(page, 'Send').click();
    await outgoing(page).filter({ hasText: 'Yes, since Monday' }).waitFor();
    const sent = await pages.untilSent(userId);
    expect(sent).toMatchObject([{ recipient: userId, type: 'text', text: { body: 'Yes, since Monday' } }]);
    expect(sent[0]).not.toHaveProperty('to');
    await has(page, 'You');
    expect((await conversationOf(pages.account, userId)).assigned_to).toBe(who.userId);
    await page.reload();
    await heading(page, 'Oren Castlebay');
    await outgoing(page).filter({ hasText: 'Yes, since Monday' }).waitFor();
  });

  it('calls people without a name by their number, in the row as in the thread', async () => {
    const nameless = await pages.writer('', 'Is anybody there?');
    const { page } = await pages.inside(pages.pathTo(nameless, '?view=unassigned'));
    const row = list(page).getByRole('link').filter({ hasText: 'Is anybody there?' });
    const who = row.locator('.who');
    await who.getByText(/^\+[\d ]+$/).waitFor();
    const called = (await who.textContent()) ?? '';
    expect(called.replace(/\D/g, '')).toBe(nameless.phone);
    await heading(page, called);
    await page.getByRole('log', { name: `Conversation with ${called}` }).waitFor();
    await page.getByRole('complementary', { name: `About ${called}` }).waitFor();
    await button(page, `Edit ${called}`).waitFor();
    await actions(page).click();
    await page.getByRole('menuitem', { name: 'Reply' }).click();
    await page.getByText(`Answers ${called}`).waitFor();
    expect(await page.getByText('User #').count()).toBe(0);
  });

  it('sends a failed message again once, however often somebody asks, and not out of a colleague’s hands', async () => {
    // The network takes what is sent to this number, and then can’t hand it over.
    const wiktor = { name: 'Wiktor Zalenko', phone: `49${String(Date.now()).slice(-6)}9990001` };
    await pages.writes(wiktor, 'Hello');
    const text = { message_type: 'text', message: 'Both are in stock' };
    await pages.account.api.post('/api/v1/messages/send-message', { contact_phone: wiktor.phone, ...text });
    const [nura, ida] = [await pages.named('Nura Hallebek'), await pages.named('Ida Marloth')];
    await pages.assigns(wiktor, nura);
    const { page } = await pages.inside(pages.pathTo(wiktor), { who: ida });
    await has(page, 'Nura Hallebek');
    const entries = page.getByRole('log').locator('.entry').filter({ hasText: text.message });
    const failed = entries.first();
    const again = failed.getByRole('button', { name: /^Send/ });
    await again.click();
    await failed.getByText('Nura Hallebek has this conversation. Nothing was sent.').waitFor();
    expect(await pages.sentTo(wiktor)).toHaveLength(1);
    await button(page, 'Take from Nura Hallebek').click();
    await pages.untilHeldBy(wiktor, ida);
    await has(page, 'You');

    const asked = posted(page, '/messages/send-message');
    const letGo = await hold(page, '**/messages/send-message');
    await again.click();
    await failed.getByRole('button', { name: 'Sending…' }).waitFor();
    await again.press('Enter');
    letGo();
    await failed.getByText('Sent again.').waitFor();
    await until('it is there once more', async () => (await entries.count()) >= 2);
    expect([asked.length, (await pages.sentTo(wiktor)).length]).toEqual([1, 2]);
    // The page forgets that it has asked; the service does not.
    await page.reload();
    await again.click();
    await failed.getByText('Sent again.').waitFor();
    expect([asked.length, (await pages.sentTo(wiktor)).length]).toEqual([2, 2]);
    expect(await entries.count()).toBe(2);
  });

  it('resolves nothing by a letter for what is open, and resolves by the same letter once that is closed', async () => {
    const petra = await pages.writer('Petra Ostwald');
    const { page } = await pages.inside(pages.pathTo(petra));
    const resolves = posted(page, '/resolve');
    await has(page, 'Nobody');

    await page.keyboard.press('a');
    await button(page, 'Hand over with a note…').click();
    const handOver = page.getByRole('dialog', { name: 'Hand over Petra Ostwald' });
    await handOver.getByLabel('To whom').waitFor();
    await handOver.getByRole('button', { name: 'Not now' }).focus();
    for (const key of ['e', 'Escape']) await page.keyboard.press(key);
    await handOver.waitFor({ state: 'detached' });

    await actions(page).first().click();
    const menu = page.getByRole('menu', { name: /^Actions for this message: / });
    await menu.getByRole('menuitem', { name: 'Reply' }).waitFor();
    for (const key of ['e', 'Escape']) await page.keyboard.press(key);
    await menu.waitFor({ state: 'detached' });

    await button(page, 'Add an emoji').click();
    const find = page.getByRole('combobox', { name: 'Find an emoji' });
    await find.waitFor();
    await page.keyboard.press('e');
    await until('it is searched for', async () => (await find.inputValue()) === 'e');
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await untilFocused(page, 'TEXTAREA');
    await page.keyboard.press('e');
    await untilText(page, 'e');
    await page.keyboard.press('Escape');
    await until('focus has left the field', () =>
      page.evaluate<boolean>("document.activeElement.tagName !== 'TEXTAREA'"),
    );

    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await keys.getByText('Resolve and go on').waitFor();
    for (const key of ['e', 'Escape']) await page.keyboard.press(key);
    await keys.waitFor({ state: 'detached' });
    expect(resolves).toEqual([]);
    await page.keyboard.press('e');
    await page.getByText('Choose a conversation.').waitFor();
    expect(resolves).toHaveLength(1);
    expect((await pages.stateOf(petra)).status).toBe('resolved');
  });

  it('takes no letter for a shortcut while what somebody has opened still loads', async () => {
    const milo = await pages.writer('Milo Brandner');
    const { page } = await pages.inside(pages.pathTo(milo));
    const resolves = posted(page, '/resolve');
    await has(page, 'Nobody');
    // The whole list, not the look whether there is anybody.
    const showColleagues = await hold(page, /\/api\/v1\/agents\?(?:.*&)?limit=100\b/);
    const showEmoji = await hold(page, '**/console/assets/emoji-picker-*.js');

    await page.keyboard.press('a');
    await page.getByText('Reading who is there…').waitFor();
    await page.keyboard.press('e');
    showColleagues();
    const colleagues = page.getByRole('listbox', { name: 'Assign to' });
    await colleagues.waitFor();
    await page.keyboard.press('Escape');
    await colleagues.waitFor({ state: 'detached' });

    await button(page, 'Add an emoji').click();
    await page.getByRole('button', { name: 'Add an emoji', exact: true, expanded: true }).waitFor();
    await page.keyboard.press('e');
    showEmoji();
    const find = page.getByRole('combobox', { name: 'Find an emoji' });
    await find.waitFor();
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await has(page, 'Nobody');
    expect(resolves).toEqual([]);
  });

  it('leads from an empty list of one’s own to those whom nobody has', async () => {
    const own = await InboxPages.start(world, browser);
    const [sana, greta] = [own.customer('Sana Mirzavel'), own.customer('Greta Holmvik')];
    await own.writes(sana, 'Are the tulips in?');
    const { page } = await own.inside(own.pathTo());
    await list(page).getByText('Nobody waits for you.').waitFor();
    await list(page).getByRole('link', { name: '1 conversation has nobody yet' }).waitFor();
    await own.writes(greta, 'And the roses?');
    await list(page).getByRole('link', { name: '2 conversations have nobody yet' }).click();
    await until('both are listed', async () => {
      const names = await list(page).locator('.who').allTextContents();
      return names.join() === 'Greta Holmvik,Sana Mirzavel';
    });
    expect(new URL(page.url()).search).toBe('?view=unassigned');
    await untilFocused(page, 'Inbox');
    // Nobody leaves the list while somebody points at it.
    await page.mouse.move(900, 400);
    const nura = await own.named('Nura Hallebek');
    for (const customer of [sana, greta]) await own.assigns(customer, nura);
    await list(page).getByText('No open conversation is left without somebody.').waitFor();
    await page.goto(world.baseUrl + own.pathTo());
    await list(page).getByText('Conversations that you take or are given appear here.').waitFor();
  });
});
