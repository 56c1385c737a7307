import type { Locator, Page } from 'playwright-core';
import { manyMessages, timelineOf } from '../../conversations/threads.js';
import { approvedTemplate } from '../../support/templates.js';
import { until } from '../../support/until.js';
import { uniquePhone, World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, overflow } from './console-browser.js';
import { type Customer, INBOX_ENV, InboxPages, inThread } from './inbox-pages.js';

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the thread of the inbox', () => {
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

  /** Sends something to a customer; returns our id and the network's. */
  const sends = async ({ phone }: Customer, message: Record<string, unknown>) => {
    const { body } = await pages.account.api.post<{ message_id: string }>('/api/v1/messages/send-message', {
      contact_phone: phone,
      ...message,
    });
    return body.message_id;
  };
  const networkIdOf = (messageId: string): Promise<string> =>
    until('the network has named it', async () => {
      const { body } = await pages.account.api.get<{ message_record: { network_message_id: string | null } }>(
        `/api/v1/messages/${messageId}`,
      );
      return body.message_record.network_message_id;
    });
  const entry = (page: Page, text: string | RegExp): Locator =>
    page.getByRole('log').locator('.entry').filter({ hasText: text });
  /** The business writes with the phone app. */
  const echoes = async ({ phone }: Customer, text: string): Promise<void> => {
    const { callback_status } = await world.simulator.echo({
      phone_number_id: pages.account.phone.phoneNumberId,
      to: phone,
      type: 'text',
      text,
    });
    expect(callback_status).toBe(200);
  };
  /** How far the end is below what is in sight. */
  const left = (page: Page): Promise<number> =>
    page.getByRole('log').evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  /** An entry in the middle of what is in sight, and how far could be scrolled up. */
  const marked = (page: Page) =>
    page.evaluate<{ key: string; top: number; scrolled: number }>(`(() => {
      const log = document.querySelector('[role=log]');
      const middle = log.getBoundingClientRect().top + 200;
      const entries = [...log.querySelectorAll('.entry')];
      const found = entries.find((one) => one.getBoundingClientRect().bottom > middle);
      return {
        key: found?.dataset.key ?? '',
        top: found?.getBoundingClientRect().top ?? 0,
        scrolled: log.scrollTop,
      };
    })()`);
  const placeOf = (page: Page, key: string): Promise<number | null> =>
    page.evaluate<number | null>(`document.querySelector('[data-key="${key}"]')?.getBoundingClientRect().top ?? null`);
  /** Nothing is wider than the window, and axe finds nothing, in every width. */
  const fits = async (page: Page): Promise<void> => {
    for (const width of [1440, 768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
      expect(await page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0);
      if (width !== 320) expect(await axeViolations(page)).toEqual([]);
    }
    await page.evaluate(`document.documentElement.dir = 'rtl'; document.documentElement.style.fontSize = '200%'`);
    expect(await page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0);
  };

  it('shows every kind that people send', async () => {
    const greta = pages.customer('Greta Holmvik');
    const [first = ''] = await pages.writes(
      greta,
      { type: 'text', text: 'Hello *there*, see https://example.com/pots.', referral: true },
      { type: 'image', media: { caption: 'It arrived cracked', mime_type: 'image/png', bytes_base64: PIXEL } },
      { type: 'video', media: { mime_type: 'video/mp4' } },
      { type: 'audio', media: { mime_type: 'audio/ogg' } },
      { type: 'document', media: { filename: 'invoice.pdf', mime_type: 'application/pdf', size: 48_213 } },
      { type: 'sticker', media: { mime_type: 'image/webp' } },
      { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Nursery North' } },
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Oren Castlebay' }, phones: [{ phone: '+44 7700 900199' }] }],
      },
      {
        type: 'order',
        order: {
          text: 'As a gift',
          product_items: [{ product_retailer_id: 'pot-blue', quantity: 2, item_price: 9.5, currency: 'EUR' }],
        },
      },
      {
        type: 'nfm_reply',
        response_json: '{"delivery_day":"2026-12-03","persons":4}',
        flow_name: 'flow',
        text: 'Sent',
      },
      { type: 'text', text: 'Which of these?', forwarded: true },
      { type: 'text', text: 'About this one', referred_product: { catalog_id: '1', product_retailer_id: 'pot-green' } },
      { type: 'unsupported', subtype: 'poll' },
      { type: 'unknown', kind: 'hologram', content: { id: '1' } },
      { type: 'call_permission_reply', response: 'accept' },
    );
    await pages.writes(greta, { type: 'text', text: 'Back to the beginning', context_id: first });
    await until('its files are there', async () => {
      const { entries } = await timelineOf(pages.account, greta.phone);
      return entries.every(({ message }) => message?.media === undefined || message.media.status === 'stored');
    });
    const { page } = await pages.inside(pages.pathTo(greta), { colorScheme: 'dark' });
    await inThread(page, 'Back to the beginning');
    const log = page.getByRole('log', { name: 'Conversation with Greta Holmvik' });
    expect(await log.locator('strong', { hasText: 'there' }).count()).toBe(1);
    expect(await log.getByRole('link', { name: 'https://example.com/pots' }).getAttribute('rel')).toContain('noopener');
    for (const text of [
      'Came from an ad',
      'invoice.pdf',
      'Show on the map',
      'Oren Castlebay',
      '€19.00',
      'Delivery day',
      'Forwarded',
      'About the product pot-green',
      /doesn’t pass on \(poll\)/,
      /can’t show yet \(hologram\)/,
      'Allows you to call',
    ]) {
      await inThread(page, text);
    }
    await entry(page, 'It arrived cracked').getByRole('img', { name: 'Photo' }).scrollIntoViewIfNeeded();
    await page.waitForFunction(`[...document.querySelectorAll('.photo img')].every((image) => image.naturalWidth > 0)`);
    expect(await log.locator('audio[controls]').count()).toBe(1);
    await fits(page);
  });

  it('shows what was sent, how far it got and why it did not arrive', async () => {
    const nura = pages.customer('Nura Hallebek');
    const failing = { name: 'Wiktor Zalenko', phone: `49${String(Date.now()).slice(-6)}9990001` };
    await pages.writes(nura, 'Is it here?');
    await pages.writes(failing, 'Hello');
    const { name } = await approvedTemplate(world, pages.account, {
      header: { format: 'TEXT', text: 'Order 20418' },
      footer: { text: 'Holm nursery' },
    });
    await pages.account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: nura.phone });
    await sends(nura, {
      message_type: 'text',
      message: 'Which colour?',
      buttons: { type: 'reply', reply_buttons: [{ id: 'b', title: 'Blue' }] },
    });
    await sends(nura, { message_type: 'location', location: { latitude: 1, longitude: 2, name: 'The nursery' } });
    await pages.account.api.post(`/api/v1/conversations/${nura.phone}/notes`, { text: 'Ask for the number' });
    await pages.account.api.post(`/api/v1/conversations/${nura.phone}/resolve`, { reason: 'Answered' });
    await echoes(nura, 'From my pocket');
    const { page } = await pages.inside(pages.pathTo(nura));
    await entry(page, 'Which colour?').getByText('Read', { exact: true }).waitFor({ state: 'attached' });
    for (const text of [
      'Order 20418',
      'Holm nursery',
      `Template · ${name}`,
      'Blue',
      'The nursery',
      /^Note by .*, not sent$/,
      /resolved this: “Answered”/,
      'Sent from the phone',
    ]) {
      await inThread(page, text);
    }
    expect(await axeViolations(page)).toEqual([]);

    await sends(failing, { message_type: 'text', message: 'Both are in stock' });
    await page.goto(world.baseUrl + pages.pathTo(failing));
    await inThread(page, /Not delivered\. Can’t receive it\..*\(131026\)/);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again.').waitFor();
    await until('it is sent once more', async () => (await entry(page, 'Both are in stock').count()) >= 2);
  });

  it('tells edits, deletions, reactions and answers as they come, and answers by itself', async () => {
    const oren = pages.customer('Oren Castlebay');
    const [first = '', second = ''] = await pages.writes(oren, 'The blue pot', 'Nothing');
    const { page } = await pages.inside(pages.pathTo(oren));
    await inThread(page, 'The blue pot');
    const id = await sends(oren, { message_type: 'text', message: 'Of course' });
    await inThread(page, 'Of course');
    await pages.writes(oren, { type: 'edit', original_message_id: first, text: 'The green pot' });
    await inThread(page, 'The green pot');
    await inThread(page, 'Edited');
    await pages.writes(oren, { type: 'revoke', original_message_id: second });
    await inThread(page, 'Deleted by the person');
    await pages.writes(oren, { type: 'reaction', emoji: '🙏', context_id: await networkIdOf(id) });
    await page.getByRole('img', { name: 'Oren Castlebay reacted with 🙏' }).waitFor();

    const ours = entry(page, 'The green pot');
    await page.getByRole('log').press('Tab');
    await page
      .getByRole('article')
      .filter({ hasText: 'Of course' })
      .getByRole('button', { name: /^Actions for this message: We, \d\d:\d\d$/ })
      .waitFor({ state: 'attached' });
    await ours.getByRole('button', { name: /^Actions for this message: Oren Castlebay, \d\d:\d\d$/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'React with ❤️' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await until('the menu has focus', () =>
      page.evaluate<boolean>("document.activeElement.closest('[role=menu]') !== null"),
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'You reacted with ❤️' }).waitFor();
    await until('the reaction is sent', async () => {
      const { entries } = await timelineOf(pages.account, oren.phone);
      return entries.some(({ message }) => message?.reactions.some(({ by }) => by === 'business'));
    });
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Take back ❤️' }).click();
    await until('it is gone', async () => (await page.getByRole('img', { name: /^You reacted/ }).count()) === 0);
  });

  it('keeps the place in a long thread, says what is new, and goes to what is quoted', async () => {
    const phone = uniquePhone();
    const long = { name: 'Long', phone };
    await pages.writes(long, { type: 'text', text: 'The very first', timestamp: Math.floor(Date.now() / 1000) - 3600 });
    const [first] = (await timelineOf(pages.account, phone)).entries.map(({ message }) => message?.message_id);
    await manyMessages(world, pages.account, phone, { count: 300, businessPhoneId: pages.account.phone.id });
    await sends(long, { message_type: 'text', message: 'About that one', reply_to: first });
    const { page } = await pages.inside(pages.pathTo(long));
    const log = page.getByRole('log');
    await inThread(page, 'About that one');
    await until('it stands at the end', async () => (await left(page)) < 2);
    await log.getByText('298', { exact: true }).waitFor();

    // Up until the beginning: what is in sight never jumps.
    for (let step = 0; step < 400 && !(await log.getByText('The conversation begins here.').count()); step += 1) {
      const before = await marked(page);
      await log.evaluate((element) => element.scrollBy({ top: -400, behavior: 'instant' }));
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const top = await placeOf(page, before.key);
      // At the upper edge there may be less to scroll; what is in sight is never dropped.
      expect(top).toBeGreaterThan(before.top - 2);
      expect(top).toBeLessThan(before.top + 402);
      if (before.scrolled > 400) expect(top).toBeGreaterThan(before.top + 398);
    }
    await inThread(page, 'The very first');
    expect(await log.locator('.entry').count()).toBeLessThanOrEqual(250);

    const at = await marked(page);
    await pages.writes(long, 'First new', 'Second new');
    await page.getByRole('button', { name: '2 new messages' }).waitFor();
    expect(await placeOf(page, at.key)).toBeCloseTo(at.top, 0);
    await page.getByRole('button', { name: '2 new messages' }).click();
    await inThread(page, 'Second new');
    await until('it stands at the end', async () => (await left(page)) < 2);
    await pages.writes(long, 'Third new');
    await inThread(page, 'Third new');
    await until('it stays at the end', async () => (await left(page)) < 2);

    await entry(page, 'About that one')
      .getByRole('button', { name: /^Quoted message/ })
      .click();
    await until('the quoted message has focus', () =>
      page.evaluate<boolean>(`document.activeElement?.dataset.key === ${JSON.stringify(first)}`),
    );
    await log.focus();
    await page.keyboard.press('End');
    await inThread(page, 'Third new');
  });

  it('says where the window closed, what is empty, and what failed', async () => {
    const closed = await pages.closed('Wiktor Zalenko');
    const { page } = await pages.inside(pages.pathTo(closed));
    await inThread(page, /^The window closed (?:today|yesterday) at/);
    await page.route('**/timeline?*', (route) =>
      route.fulfill({ status: 400, json: { error: 'bad_request', message: 'Not now.' } }),
    );
    const other = pages.customer('Other');
    await pages.writes(other, 'Hello');
    await page.goto(world.baseUrl + pages.pathTo(other));
    await page.getByText(/^The messages didn’t load\. /).waitFor();
    await page.unroute('**/timeline?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await inThread(page, 'Hello');
  });
});
