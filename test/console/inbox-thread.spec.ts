import type { Entry, Message } from '../../console/screens/inbox/records.js';
import { changeText } from '../../console/screens/inbox/thread/change-text.js';
import { piecesOf, webAddress } from '../../console/screens/inbox/thread/format-text.js';
import { onceMore, wasSurelyNotSent } from '../../console/screens/inbox/thread/resendable.js';
import {
  behindLast,
  entriesOf,
  keyOf,
  messagesAfter,
  PAGE_SIZE,
  type Stretch,
  withNewer,
  withNewest,
  withOlder,
} from '../../console/screens/inbox/thread/stretch.js';
import { rowsOf } from '../../console/screens/inbox/thread/thread-rows.js';

const START = Date.UTC(2026, 0, 31, 12);
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

function message(number: number, more: Partial<Message> = {}): Entry {
  const record = { message_id: `m${number}`, direction: 'in', content: `${number}`, status: 'received', ...more };
  return { type: 'message', at: iso(number), message: record as Message };
}

const change = (number: number): Entry => ({
  type: 'change',
  at: iso(number),
  change: {
    kind: 'resolved',
    actor: { user_id: 'nura', name: 'Nura', source: 'manual' },
    assigned_to: null,
    assigned_to_name: null,
    previous_assignee_id: null,
    previous_assignee_name: null,
    note: null,
    reason: 'Done',
  },
});

/** Messages of these numbers, the last one not included. */
const messages = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from }, (_, index) => message(from + index));
const keys = (stretch: Stretch | null): string[] => entriesOf(stretch ?? []).map(keyOf);
const names = (from: number, to: number): string[] => messages(from, to).map(keyOf);

describe('the part of a thread that is held', () => {
  const held: Stretch = [{ entries: messages(50, 100), before: 'b50', after: null }];

  it('takes in what is new at the end, and keeps what is unchanged as it is', () => {
    const next = withNewest(held, messages(52, 102));
    expect(keys(next)).toEqual(names(50, 102));
    expect(entriesOf(next ?? [])[5]).toBe(held[0]?.entries[5]);
    expect(next?.[0]?.before).toBe('b50');
  });

  it('takes in what has changed in its place', () => {
    const newest = messages(50, 100).with(10, message(60, { content: 'edited' }));
    expect(entriesOf(withNewest(held, newest) ?? [])[10]?.message?.content).toBe('edited');
  });

  it('puts what comes late between the others', () => {
    const late = message(70.5);
    expect(keys(withNewest(held, [...messages(60, 71), late, ...messages(71, 110)]))).toEqual([
      ...names(50, 71),
      keyOf(late),
      ...names(71, 110),
    ]);
  });

  it('knows when something is missing between them', () => {
    expect(withNewest(held, messages(120, 170))).toBeNull();
  });

  it('keeps what an older answer does not have yet', () => {
    expect(keys(withNewest(held, messages(48, 98)))).toEqual(names(50, 100));
  });

  it('holds all of a short thread, with changes, which have no id', () => {
    const short: Stretch = [{ entries: messages(1, 3), before: null, after: null }];
    const next = withNewest(short, [...messages(0, 3), change(3)]);
    expect(keys(next)).toEqual([...names(0, 3), keyOf(change(3))]);
    expect(withNewest(next ?? [], [...messages(0, 3), change(3)])?.[0]?.entries).toBe(next?.[0]?.entries);
  });

  it('drops the far end, whose cursors lead back', () => {
    let stretch: Stretch = [{ entries: messages(950, 1000), before: 'b950', after: null }];
    for (let from = 900; from >= 600; from -= PAGE_SIZE) {
      stretch = withOlder(stretch, { entries: messages(from, from + 50), before: `b${from}`, after: `a${from + 50}` });
    }
    expect(keys(stretch)).toEqual(names(600, 750));
    expect(stretch.at(-1)?.after).toBe('a750');
    expect(keys(withNewest(stretch, messages(951, 1001)))).toEqual(names(600, 750));
    stretch = withNewer(stretch, { entries: messages(750, 800), before: 'b750', after: 'a800' });
    expect(keys(stretch)).toEqual(names(650, 800));
    expect(stretch[0]?.before).toBe('b650');
  });

  it('never holds an entry twice', () => {
    expect(keys(withOlder(held, { entries: messages(20, 60), before: 'b20', after: 'a60' }))).toEqual(names(20, 100));
  });
});

describe('what is new', () => {
  it('is counted in messages, as far as it can be told', () => {
    expect(messagesAfter([...messages(0, 3), change(3), message(4)], 'm1')).toBe(2);
    expect(messagesAfter(messages(0, 3), 'm2')).toBe(0);
    expect(messagesAfter(messages(100, 150), 'm2')).toBe(PAGE_SIZE);
  });

  it('is found behind the last entry that is held', () => {
    const held: Stretch = [{ entries: messages(0, 10), before: null, after: null }];
    expect(keys([behindLast(held, { entries: messages(5, 15), before: 'b5', after: 'a15' })])).toEqual(names(10, 15));
  });
});

describe('the lines of a thread', () => {
  const kinds = (entries: readonly Entry[], closedAt: string | null = null): string[] =>
    rowsOf(entries, closedAt).map((row) =>
      row.kind === 'entry' ? `${row.key}${row.isContinued ? '+' : ''}` : row.kind,
    );

  it('have their days between them, and messages of one side together', () => {
    const day = 86_400;
    expect(kinds([message(0), message(1), message(2, { direction: 'out' }), message(3 * day)])).toEqual([
      'day',
      'm0',
      'm1+',
      'm2',
      'day',
      `m${3 * day}`,
    ]);
    expect(kinds([message(0), message(1000)])).toEqual(['day', 'm0', 'm1000']);
  });

  it('say where the window closed', () => {
    expect(kinds([message(0), message(5)], iso(3))).toEqual(['day', 'm0', 'closed', 'm5']);
    expect(kinds([message(0)], iso(3))).toEqual(['day', 'm0', 'closed']);
  });
});

describe('the text of a message', () => {
  it.each([
    [
      'a *b* c',
      [
        { kind: 'text', text: 'a ' },
        { kind: 'bold', pieces: [{ kind: 'text', text: 'b' }] },
        { kind: 'text', text: ' c' },
      ],
    ],
    ['2*3*4 snake_case_name', [{ kind: 'text', text: '2*3*4 snake_case_name' }]],
    ['`*x*`', [{ kind: 'code', text: '*x*' }]],
    [
      '*a _b_*',
      [
        {
          kind: 'bold',
          pieces: [
            { kind: 'text', text: 'a ' },
            { kind: 'italic', pieces: [{ kind: 'text', text: 'b' }] },
          ],
        },
      ],
    ],
    [
      '(https://example.com/a_b_c).',
      [
        { kind: 'text', text: '(' },
        { kind: 'link', text: 'https://example.com/a_b_c', href: 'https://example.com/a_b_c' },
        { kind: 'text', text: ').' },
      ],
    ],
    ['javascript:alert(1) * x *', [{ kind: 'text', text: 'javascript:alert(1) * x *' }]],
  ])('%s', (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces);
  });

  it('reads any text fast', () => {
    for (const one of ['*', '_a', '`', 'https://', '*a ']) expect(piecesOf(one.repeat(4000 / one.length))).toBeTruthy();
  });

  it('has only addresses of the web', () => {
    expect(['https://example.com', 'javascript:alert(1)', 'data:text/html,x', 4, null].map(webAddress)).toEqual([
      'https://example.com/',
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('a failed message', () => {
  const failed = (more: Partial<Message>): Message =>
    ({ message_type: 'text', content: 'Hello', template_name: null, status: 'failed', ...more }) as Message;

  it.each([
    [131026, true],
    [900003, true],
    [900002, false],
    [900008, false],
    [null, false],
  ])('with code %s was surely not sent: %s', (error_code, isSure) => {
    expect(wasSurelyNotSent({ status: 'failed', error_code })).toBe(isSure);
  });

  it('is sent again as it was', () => {
    expect(onceMore(failed({ reply_to: 'm1' }))).toEqual({ message_type: 'text', message: 'Hello', reply_to: 'm1' });
    const media = {
      mime_type: 'image/png',
      filename: null,
      voice: false,
      status: 'gone',
      link: 'https://example.com/a.png',
    };
    expect(onceMore(failed({ message_type: 'image', media: media as Message['media'] }))).toEqual({
      message_type: 'image',
      media_url: 'https://example.com/a.png',
      caption: 'Hello',
    });
  });

  it('is not sent again where its contents are gone, or for a template', () => {
    const media = { mime_type: 'image/png', filename: null, voice: false, status: 'gone', media_id: 'u1' };
    expect(onceMore(failed({ message_type: 'image', media: media as Message['media'] }))).toBeNull();
    expect(onceMore(failed({ template_name: 'order', message_type: 'template' }))).toBeNull();
  });
});

describe('a change', () => {
  const assigned = {
    ...change(0).change,
    kind: 'assigned',
    assigned_to: 'me',
    note: 'Knows the pots.',
    reason: null,
  } as NonNullable<Entry['change']>;

  it.each([
    [assigned, 'Nura assigned this to you: “Knows the pots.”'],
    [{ ...assigned, note: null, actor: { user_id: 'me', name: 'Me', source: 'manual' as const } }, 'You took this'],
    [
      { ...assigned, note: null, actor: { user_id: 'system', name: 'system', source: 'auto_inbound' as const } },
      'Assigned to you automatically',
    ],
    [change(0).change as NonNullable<Entry['change']>, 'Nura resolved this: “Done”'],
  ])('is said in words (%#)', (one, text) => {
    expect(changeText(one, 'me')).toBe(text);
  });
});
