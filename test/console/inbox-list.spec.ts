import { initialsOf } from '../../console/parts/initials.js';
import { elsewhereOf, filterOf, queryOf, topicOf } from '../../console/screens/inbox/list/conversations-filter.js';
import { heldConversations, withRow } from '../../console/screens/inbox/list/held-conversations.js';
import { LaterPages } from '../../console/screens/inbox/list/later-pages.js';
import { PAGE_SIZE } from '../../console/screens/inbox/list/page-size.js';
import { readableNumber } from '../../console/screens/inbox/list/readable-number.js';
import { waitOf, windowOf, wroteAt } from '../../console/screens/inbox/list/row-facts.js';
import type { Conversation } from '../../console/screens/inbox/records.js';
import { inboxListWords } from '../../console/words/inbox-list.js';
import { inboxThreadWords } from '../../console/words/inbox-thread.js';
import { until } from '../support/until.js';

const row = (contact: string, more: Partial<Conversation> = {}): Conversation =>
  ({ contact_id: contact, waba_phone_id: 'phone', ...more }) as Conversation;
const rows = (...contacts: string[]): Conversation[] => contacts.map((contact) => row(contact));
const names = (list: readonly Conversation[]): string[] => list.map(({ contact_id }) => contact_id);
const many = (from: number, count: number): Conversation[] =>
  rows(...Array.from({ length: count }, (_, at) => `${from + at}`));

describe('the filter of the list of conversations', () => {
  const PHONE = '019c1363-49c0-7680-92b3-4d37d5120a7f';

  it('comes from the address, and means its own conversations without one', () => {
    expect(filterOf(new URLSearchParams(), 'longest_waiting')).toEqual({
      view: 'mine',
      search: null,
      phone: null,
      order: 'longest_waiting',
    });
    expect(filterOf(new URLSearchParams(`view=all&search=+tulip+&waba_phone_id=${PHONE}`), 'last_inbound')).toEqual({
      view: 'all',
      search: 'tulip',
      phone: PHONE,
      order: 'last_inbound',
    });
    expect(filterOf(new URLSearchParams('view=yours&waba_phone_id=1'), 'last_inbound')).toMatchObject({
      view: 'mine',
      phone: null,
    });
  });

  it('asks for people who have written only, and shows resolved ones by the newest', () => {
    const of = (query: string) => filterOf(new URLSearchParams(query), 'longest_waiting');
    expect(queryOf(of(''), 'me')).toEqual({
      has_inbound: 'true',
      status: 'open',
      assigned_to: 'me',
      order: 'longest_waiting',
    });
    expect(queryOf(of('view=unassigned'), 'me')).toMatchObject({ status: 'open', unassigned: 'true' });
    expect(queryOf(of('view=resolved'), 'me')).toEqual({
      has_inbound: 'true',
      status: 'resolved',
      order: 'last_inbound',
    });
  });

  it('searches those who wait for nothing too, whatever the order', () => {
    expect(filterOf(new URLSearchParams('search=tulip'), 'longest_waiting').order).toBe('last_inbound');
    expect(filterOf(new URLSearchParams('search=+'), 'longest_waiting').order).toBe('longest_waiting');
  });

  it('has at most two other views that together have everybody', () => {
    const of = (view: string) =>
      elsewhereOf(filterOf(new URLSearchParams(`view=${view}&search=tulip`), 'last_inbound'));
    const views = (view: string) => of(view).map((other) => [other.view, other.holdsAll]);
    expect(views('mine')).toEqual([
      ['all', true],
      ['resolved', false],
    ]);
    expect(views('all')).toEqual([['resolved', false]]);
    expect(views('resolved')).toEqual([['all', false]]);
    expect(of('unassigned')[0]).toMatchObject({ search: 'tulip', order: 'last_inbound' });
  });

  it('names the topic of the stream, and none for a search', () => {
    const of = (query: string) => topicOf(filterOf(new URLSearchParams(query), 'last_inbound'));
    expect(of('view=all')).toBe('inbox:all?order=last_inbound');
    expect(of(`waba_phone_id=${PHONE}`)).toBe(`inbox:mine?order=last_inbound&waba_phone_id=${PHONE}`);
    expect(of('search=tulip')).toBeNull();
  });
});

describe('rows under a hand', () => {
  it('stay in their places with their latest values, and new ones are counted', () => {
    const latest = [row('new'), row('c', { last_message_preview: 'later' }), row('a')];
    const shown = heldConversations(rows('a', 'b', 'c'), latest);
    expect(names(shown.rows)).toEqual(['a', 'b', 'c']);
    expect(shown.rows[2]?.last_message_preview).toBe('later');
    expect(shown.fresh).toBe(1);
  });

  it('show what is known of one that the list has lost', () => {
    const held = rows('a', 'b');
    const read = row('b', { last_message_status: 'read' });
    expect(heldConversations(withRow(held, read), rows('a')).rows[1]).toBe(read);
    expect(withRow(held, row('c'))).toBe(held);
    expect(withRow(held, null)).toBe(held);
  });

  it('follow the list when nobody points at them', () => {
    expect(heldConversations(null, rows('b', 'a'))).toEqual({ rows: rows('b', 'a'), fresh: 0 });
  });

  it('do not count what has only moved up to the end of a beginning', () => {
    const before = many(0, PAGE_SIZE);
    expect(heldConversations(before, many(1, PAGE_SIZE)).fresh).toBe(0);
    expect(heldConversations(before, [row('new'), ...many(0, PAGE_SIZE - 1)]).fresh).toBe(1);
  });

  it('count who begins to wait at the end of a short list', () => {
    expect(heldConversations(rows('a'), rows('a', 'b')).fresh).toBe(1);
  });
});

describe('pages behind the first', () => {
  const PAGES = 210;
  /** A list that the service counts no further than to 10,000. */
  const read =
    (asked: number[], all = PAGES * PAGE_SIZE) =>
    async (page: number) => {
      asked.push(page);
      return { rows: many(page * PAGE_SIZE, Math.max(0, Math.min(PAGE_SIZE, all - page * PAGE_SIZE))), total: 10_000 };
    };

  it('are read when they are needed, once while they are fresh', async () => {
    const asked: number[] = [];
    let now = 0;
    const pages = new LaterPages(
      read(asked),
      () => undefined,
      () => now,
    );
    pages.need(40, 70, false);
    await until('the page is there', async () => pages.pages.has(1));
    pages.need(90, 110, false);
    await until('the next one is there', async () => pages.pages.has(2));
    expect(asked).toEqual([1, 2]);
    now = 60_000;
    pages.need(60, 70, true);
    expect(asked).toEqual([1, 2]);
    pages.need(60, 70, false);
    expect(asked).toEqual([1, 2, 1]);
  });

  it('lead on beyond what the service counts, until the list ends', async () => {
    const pages = new LaterPages(read([], 10_470), () => undefined);
    expect(pages.size(60)).toBe(60);
    expect(pages.size(10_000)).toBe(10_000);
    pages.need(9960, 9990, false);
    await until('it goes on', async () => pages.size(10_000) > 10_000);
    expect(pages.size(10_000)).toBe(11_000);
    pages.need(10_980, 11_000, false);
    await until('it is known to be shorter', async () => pages.size(10_000) < 11_000);
    pages.need(10_440, 10_490, false);
    await until('its end is known', async () => pages.size(10_000) === 10_470);
  });

  it('are given up when nobody looks at them any more', async () => {
    const given: number[] = [];
    const pages = new LaterPages(
      (page, signal) => {
        signal.addEventListener('abort', () => given.push(page));
        return new Promise(() => undefined);
      },
      () => undefined,
    );
    pages.need(100, 120, false);
    pages.need(1000, 1020, false);
    expect(given).toEqual([2]);
    pages.close();
    expect(given).toEqual([2, 20]);
  });
});

describe('what a row says', () => {
  const now = new Date('2026-11-28T12:00:00Z');
  const windowIn = (minutes: number) =>
    windowOf({ window_expires_at: new Date(now.getTime() + minutes * 60_000).toISOString() }, now);

  it('has the window in hours, in minutes when it is about to close, and closed', () => {
    expect(windowIn(23 * 60 + 59)).toEqual({ kind: 'open', hours: 23 });
    expect(windowIn(120)).toEqual({ kind: 'open', hours: 2 });
    expect(windowIn(119)).toEqual({ kind: 'soon', seconds: 119 * 60 });
    expect(windowIn(0)).toEqual({ kind: 'closed' });
    expect(windowOf({ window_expires_at: null }, now)).toEqual({ kind: 'closed' });
  });

  it('has how long somebody waits', () => {
    expect(waitOf({ waiting_since: '2026-11-28T11:56:00Z' }, now)).toBe(240);
    expect(waitOf({ waiting_since: '2026-11-28T12:00:09Z' }, now)).toBe(0);
    expect(waitOf({ waiting_since: null }, now)).toBeNull();
    expect(inboxListWords.waiting(240)).toBe('Waiting 4 min');
    expect(inboxListWords.waiting(3)).toBe('Waiting 1 min');
  });

  it('has the time at which somebody wrote last, from which the window is counted', () => {
    expect(wroteAt({ window_expires_at: '2026-11-29T09:30:00+00:00' })).toBe('2026-11-28T09:30:00.000Z');
    expect(wroteAt({ window_expires_at: null })).toBeNull();
    expect(inboxListWords.window.hours(23)).toBe('23 h left');
    expect(inboxListWords.waiting(31 * 3600)).toBe('Waiting 1 day 7 h');
  });

  it('has the same words for what became of a message as the thread', () => {
    for (const status of ['pending', 'sent', 'delivered', 'read', 'failed']) {
      expect([status, inboxListWords.statuses[status]]).toEqual([status, inboxThreadWords.states[status]]);
    }
    const { accepted = '', failed = '' } = inboxListWords.statuses;
    expect(inboxThreadWords.states['accepted']).toContain(accepted);
    expect(inboxThreadWords.failed(131026, null)).toMatch(new RegExp(`^${failed}\\. .*\\(131026\\)$`));
  });

  it('says what a number counts', () => {
    expect(inboxListWords.views.counted('Mine', 4, false)).toBe('Mine, 4 open');
    expect(inboxListWords.views.counted('Mine', 4, true)).toBe('Mine, 4 waiting');
  });

  it('has initials of names, and none of numbers', () => {
    expect(initialsOf('Greta Maria Holmvik')).toBe('GH');
    expect(initialsOf('ödön')).toBe('Ö');
    expect(initialsOf('+49 151')).toBe('');
    expect(initialsOf('')).toBe('');
  });

  it('has numbers in groups', () => {
    expect(readableNumber('447700900663')).toBe('+44 770 090 0663');
    expect(readableNumber('15550100')).toBe('+1 555 0100');
    expect(readableNumber('35315550100')).toBe('+353 155 501 00');
    expect(readableNumber('US.1349')).toBe('US.1349');
  });

  it('says from where on nobody has counted', () => {
    expect(inboxListWords.count(9999)).toMatch(/^9.?999$/);
    expect(inboxListWords.count(10_000)).toMatch(/^10.?000\+$/);
  });

  it('has times as short as they can be', () => {
    const at = (day: number, hour: number): Date => new Date(2026, 10, day, hour, 5);
    const { when } = inboxListWords;
    expect(when(at(28, 9), at(28, 12))).toBe('09:05');
    expect(when(at(27, 23), at(28, 1))).toBe('Yesterday');
    const written = (moment: Date, options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(undefined, options).format(moment);
    expect(when(at(24, 9), at(28, 12))).toBe(written(at(24, 9), { weekday: 'short' }));
    expect(when(at(3, 9), at(28, 12))).toBe(written(at(3, 9), { day: 'numeric', month: 'short' }));
    const before = new Date(2025, 10, 3);
    expect(when(before, at(28, 12))).toBe(written(before, { day: 'numeric', month: 'short', year: 'numeric' }));
  });
});
