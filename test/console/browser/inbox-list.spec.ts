import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { World } from '../../support/world.js';
import { axeViolations, ConsoleBrowser, focused, overflow } from './console-browser.js';
import { type Customer, INBOX_ENV, InboxPages, list } from './inbox-pages.js';

/** More than have elements, and more than a page of the list has. */
const MANY = 3000;

/** Scrolls the list. @param share of its height */
const scrollTo = (page: Page, share: number): Promise<void> =>
  page.evaluate<void>(`(() => {
    const rows = document.querySelector('.list .rows');
    rows.scrollTo(0, rows.scrollHeight * ${share});
  })()`);

describe('the list of conversations', () => {
  let world: World;
  let browser: ConsoleBrowser;
  let inbox: InboxPages;

  beforeAll(async () => {
    world = await World.start({ env: INBOX_ENV });
    browser = await ConsoleBrowser.start(world.baseUrl);
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });
  beforeEach(async () => {
    inbox = await InboxPages.start(world, browser);
  });
  afterEach(async () => {
    await browser.closePages();
    expect(browser.takeComplaints()).toEqual([]);
  });

  const rowOf = (page: Page, name: string): Locator => list(page).getByRole('link').filter({ hasText: name });
  const names = (page: Page): Promise<string[]> => list(page).locator('.who').allTextContents();
  const untilNames = (page: Page, ...wanted: string[]): Promise<unknown> =>
    until(`the list has ${wanted.join()}`, async () => (await names(page)).join() === wanted.join());
  const written = async (...people: string[]): Promise<Customer[]> => {
    const customers = people.map((name) => inbox.customer(name));
    for (const customer of customers) await inbox.writes(customer, `Hello from ${customer.name}`);
    return customers;
  };
  const post = async ({ phone }: Customer, action: string, body: Record<string, unknown> = {}): Promise<void> => {
    const { status } = await inbox.account.api.post(`/api/v1/conversations/${phone}/${action}`, body);
    expect(status).toBe(200);
  };
  /** People with a conversation each; those who have written did so one second after the other, number 0 last. */
  const insert = (count: number, hasWritten: boolean): Promise<number> =>
    world.unitOfWork.autocommit.affected(
      `WITH people AS (
         INSERT INTO contacts (id, account_id, phone_number, first_name, source, created_at)
         SELECT gen_random_uuid(), $1, '4917' || lpad(n::text, 9, '0'), 'Person ' || n, 'inbound', now()
         FROM generate_series(0, $3::integer - 1) n RETURNING id, phone_number
       )
       INSERT INTO conversations (account_id, contact_id, business_phone_id, status, last_message_at, last_message_preview,
         last_inbound_at, created_at)
       SELECT $1, id, $2, 'open', now(), 'Hello', CASE WHEN $4 THEN now() - right(phone_number, 9)::integer * interval '1 second' END, now()
       FROM people`,
      [inbox.account.accountId, inbox.account.phone.id, count, hasWritten],
    );

  it('shows people when they write, and nobody who only got a campaign', async () => {
    await insert(300, false);
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await page.getByText('Nobody has written yet. New messages appear here by themselves.').waitFor();
    await written('Sana Mirzavel', 'Greta Holmvik');
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    const row = rowOf(page, 'Greta');
    await row.getByText('Hello from Greta Holmvik').waitFor();
    await row.getByText(/^Waiting \d+ min$/).waitFor();
    await row.getByText('23 h left').waitFor();
    await row.getByText('Assigned to nobody').waitFor();
    await context.close();
  });

  it('has views with their numbers, which Back undoes and a thread keeps', async () => {
    const [sana, greta, dario] = (await written('Sana Mirzavel', 'Greta Holmvik', 'Dario Pellacosta')) as [
      Customer,
      Customer,
      Customer,
    ];
    const who = await inbox.member();
    await post(sana, 'assign', { user_id: who.userId });
    await post(dario, 'resolve');
    const { page, context } = await inbox.inside(inbox.pathTo(), { who });
    await untilNames(page, 'Sana Mirzavel');
    await page.getByRole('link', { name: 'Mine, 1 open' }).waitFor();
    await page.getByRole('link', { name: 'Unassigned, 1 open' }).click();
    await untilNames(page, 'Greta Holmvik');
    await page.getByRole('link', { name: 'Resolved' }).click();
    await untilNames(page, 'Dario Pellacosta');
    await page.goBack();
    await untilNames(page, 'Greta Holmvik');
    await rowOf(page, 'Greta').click();
    await page.getByRole('heading', { level: 1, name: 'Greta Holmvik' }).waitFor();
    await page.locator('.conv[aria-current]', { hasText: 'Greta' }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=unassigned');
    await post(greta, 'resolve');
    await page.getByRole('link', { name: 'All' }).click();
    await untilNames(page, 'Sana Mirzavel');
    await rowOf(page, 'Sana').getByTitle('Assigned to Mira Member').getByText('MM', { exact: true }).waitFor();
    await context.close();
  });

  it('orders by who has waited longest if somebody prefers that, also after loading again', async () => {
    await written('Sana Mirzavel', 'Greta Holmvik');
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=unassigned'));
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await page.getByRole('button', { name: 'Order: Last to write first' }).click();
    await page.getByRole('menuitemradio', { name: 'Longest waiting' }).click();
    await untilNames(page, 'Sana Mirzavel', 'Greta Holmvik');
    await page.reload();
    await untilNames(page, 'Sana Mirzavel', 'Greta Holmvik');
    await page.getByRole('link', { name: 'Mine' }).click();
    await page.getByText('Nobody waits for you.').waitFor();
    await page.getByRole('link', { name: 'Mine, 0 waiting' }).waitFor();
    await context.close();
  });

  it('finds people by name or number', async () => {
    const [, greta] = await written('Sana Mirzavel', 'Greta Holmvik');
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await page.keyboard.press('/');
    await page.keyboard.type('mirza');
    await untilNames(page, 'Sana Mirzavel');
    await list(page).getByText('1 found').waitFor({ state: 'attached' });
    await page.getByRole('searchbox').fill(greta?.phone ?? '');
    await untilNames(page, 'Greta Holmvik');
    await page.keyboard.press('Escape');
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await page.keyboard.type('nobody like that');
    await page.getByText('No conversation in All matches.').waitFor();
    await page.getByRole('link', { name: 'Clear search' }).click();
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await context.close();
  });

  it('shows the conversations of one of several business phones', async () => {
    inbox = await InboxPages.start(world, browser, { phones: 2 });
    const [, other] = inbox.account.phones;
    await written('Sana Mirzavel');
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Sana Mirzavel');
    await inbox.writes(inbox.customer('Greta Holmvik'), {
      type: 'text',
      text: 'Is this the new number?',
      phone_number_id: other?.phoneNumberId,
    });
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await page.getByRole('button', { name: 'Business phone: All phones' }).click();
    await page.getByRole('menuitemradio').nth(2).click();
    await untilNames(page, 'Greta Holmvik');
    expect(new URL(page.url()).searchParams.get('waba_phone_id')).toBe(other?.id);
    await page.goBack();
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await context.close();
  });

  it('says why it did not load, and tries again', async () => {
    await written('Sana Mirzavel');
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Sana Mirzavel');
    await page.route(/\/conversations\?.*status=resolved/, (route) =>
      route.fulfill({
        status: 403,
        headers: { 'x-request-id': 'a-request' },
        json: { error: { code: 'forbidden', message: 'No' } },
      }),
    );
    await page.getByRole('link', { name: 'Resolved' }).click();
    await page.getByText('The list of conversations didn’t load.').waitFor();
    await page.getByText('Request a-request').waitFor();
    await page.unroute(/\/conversations\?.*status=resolved/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No conversation is resolved.').waitFor();
    await context.close();
  });

  it('moves nothing while focus is in it', async () => {
    const [sana] = (await written('Sana Mirzavel', 'Greta Holmvik')) as [Customer];
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Greta Holmvik', 'Sana Mirzavel');
    await rowOf(page, 'Sana').focus();
    await written('Dario Pellacosta');
    await inbox.writes(sana, 'And the roses?');
    await rowOf(page, 'Sana').getByText('And the roses?').waitFor();
    const fresh = page.getByRole('button', { name: '1 new' });
    await fresh.waitFor();
    expect(await names(page)).toEqual(['Greta Holmvik', 'Sana Mirzavel']);
    expect(await focused(page)).toContain('Sana Mirzavel');
    await fresh.click();
    await rowOf(page, 'Dario').waitFor();
    expect((await names(page)).at(-1)).toBe('Greta Holmvik');
    const first = list(page).locator('.conv').first();
    await until('focus is on the first row', async () => (await focused(page)) === (await first.textContent())?.trim());
    await context.close();
  });

  it('is walked with letters and arrows', async () => {
    await written('Sana Mirzavel', 'Greta Holmvik', 'Dario Pellacosta');
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await untilNames(page, 'Dario Pellacosta', 'Greta Holmvik', 'Sana Mirzavel');
    const isOn = (name: string): Promise<unknown> =>
      until(`focus is on ${name}`, async () => (await focused(page)).includes(name));
    await page.keyboard.press('j');
    await isOn('Dario Pellacosta');
    await page.keyboard.press('ArrowDown');
    await isOn('Greta Holmvik');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await isOn('Sana Mirzavel');
    await page.keyboard.press('k');
    await isOn('Greta Holmvik');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Greta Holmvik' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next conversation').waitFor();
    await context.close();
  });

  it('scrolls through thousands with few elements, to the end', async () => {
    await insert(MANY, true);
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'));
    await rowOf(page, 'Person 0').first().waitFor();
    const rows = page.locator('.rows');
    await scrollTo(page, 0.5);
    await rowOf(page, `Person ${MANY / 2}`).waitFor();
    await scrollTo(page, 1);
    const last = rowOf(page, `Person ${MANY - 1}`);
    await last.waitFor();
    expect(await rows.locator('li').count()).toBeLessThan(50);
    expect(await rows.locator(`li[aria-posinset="${MANY}"][aria-setsize="${MANY}"]`).textContent()).toContain(
      `Person ${MANY - 1}`,
    );
    const shown = await names(page);
    expect(shown).toEqual(shown.map((_, place) => `Person ${MANY - shown.length + place}`));
    // Focus stays in the list when its row leaves, and goes on from there.
    await last.focus();
    await scrollTo(page, 0);
    await rowOf(page, 'Person 0').first().waitFor();
    await page.keyboard.press('k');
    await until('focus goes on from its row', async () => (await focused(page)).includes(`Person ${MANY - 2}`));
    await context.close();
  });

  it('fits every window, in both themes and in large text', async () => {
    await written('Sana Mirzavel', 'Greta Holmvik');
    await inbox.closed('Wiktor Zalenko');
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'), { colorScheme });
      await rowOf(page, 'Wiktor').getByText('Window closed').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      for (const width of [1440, 1000, 768, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect({ width, overflow: await overflow(page) }).toEqual({ width, overflow: 0 });
        expect(await rowOf(page, 'Greta').isVisible()).toBe(true);
        const [tabs, rows] = [await page.locator('.tabbar').boundingBox(), await page.locator('.rows').boundingBox()];
        if (tabs !== null) expect(tabs.y).toBeGreaterThanOrEqual((rows?.y ?? 0) + (rows?.height ?? 0));
      }
      await page.evaluate('document.documentElement.style.fontSize = "200%"');
      await until('rows are as high as their text', async () => {
        const tops = await page.evaluate<{ top: number; bottom: number }[]>(
          "[...document.querySelectorAll('.conv')].map((one) => one.getBoundingClientRect().toJSON())",
        );
        return tops.every((box, at) => at === 0 || box.top >= (tops[at - 1]?.bottom ?? 0));
      });
      expect(await overflow(page)).toBe(0);
      await context.close();
    }
  });

  it('shows one pane in a narrow window, and the list again on the way back', async () => {
    await written('Sana Mirzavel', 'Greta Holmvik');
    const viewport = { width: 360, height: 740 };
    const { page, context } = await inbox.inside(inbox.pathTo(null, '?view=all'), { viewport });
    await rowOf(page, 'Sana').click();
    await page.getByRole('heading', { level: 1, name: 'Sana Mirzavel' }).waitFor();
    expect(await list(page).isVisible()).toBe(false);
    await page.goBack();
    await rowOf(page, 'Sana').waitFor();
    await until('focus is on the row again', async () => (await focused(page)).includes('Sana Mirzavel'));
    expect(await page.evaluate('scrollY')).toBe(0);
    await context.close();
  });
});
