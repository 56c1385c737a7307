import { EMOJI } from '../../console/parts/emoji-names.js';
import { look } from '../../console/screens/inbox/composer/file-rules.js';
import { fillReply, firstVariable } from '../../console/screens/inbox/composer/reply-variables.js';
import { characters, nearLimit } from '../../console/screens/inbox/composer/text-limits.js';
import { forgetKept, keptIn } from '../../console/screens/inbox/kept-in-thread.js';
import type { Message } from '../../console/screens/inbox/records.js';
import { inboxComposerWords as words } from '../../console/words/inbox-composer.js';

const fileOf = (name: string, type: string, size = 10): File => {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};
const MB = 1024 * 1024;

describe('the length of a text', () => {
  it('counts characters as the API does, an emoji of one code point once', () => {
    expect(characters('a😀é')).toBe(3);
  });

  it('is shown from 90 % of the limit on', () => {
    expect(nearLimit('a'.repeat(89), 100)).toBeNull();
    expect(nearLimit('a'.repeat(90), 100)).toEqual({ used: 90, isOver: false });
    expect(nearLimit('a'.repeat(101), 100)).toEqual({ used: 101, isOver: true });
    expect(nearLimit('😀'.repeat(60), 100)).toBeNull();
  });
});

describe('the quote of an answer', () => {
  const key = { contact: '4915112345678', phone: 'phone' };
  const message = { message_id: 'm1' } as Message;

  afterEach(forgetKept);

  it('is still there when somebody comes back to the thread', () => {
    keptIn('account', key).quoted.value = message;
    expect(keptIn('account', { ...key }).quoted.value).toBe(message);
  });

  it.each([
    ['account', { ...key, contact: '4915187654321' }],
    ['account', { ...key, phone: 'other' }],
    ['another', key],
    [null, key],
  ])('is not that of other threads: %s, %j', (account, other) => {
    keptIn('account', key).quoted.value = message;
    expect(keptIn(account, other).quoted.value).toBeNull();
  });

  it('goes with whoever signs out', () => {
    keptIn('account', key).quoted.value = message;
    forgetKept();
    expect(keptIn('account', key).quoted.value).toBeNull();
  });
});

describe('a saved reply', () => {
  const fields = { first_name: 'Greta', last_name: null, company: ' ' };

  it('has its variables filled with what is known of the person', () => {
    expect(fillReply('Hello {{first_name}}, {{first_name}}', fields)).toEqual({
      text: 'Hello Greta, Greta',
      missing: [],
    });
  });

  it('keeps the variables without a value as they are written, and names each once', () => {
    expect(fillReply('{{last_name}} {{company}} {{last_name}} {{email}}', fields)).toEqual({
      text: '{{last_name}} {{company}} {{last_name}} {{email}}',
      missing: ['last_name', 'company', 'email'],
    });
    expect(words.replies.missing(['last_name', 'email'])).toContain('last name and email');
  });

  it('does not take a value for a variable', () => {
    const filled = fillReply('{{first_name}} and {{email}}', {
      first_name: '{{email}}',
      email: 'greta@holmvik.example',
    });
    expect(filled.text).toBe('{{email}} and greta@holmvik.example');
  });

  it('says where the first variable stands that is left', () => {
    expect(firstVariable('Hello {{email}}')).toEqual({ start: 6, end: 15 });
    expect(firstVariable('Hello {email}')).toBeNull();
  });
});

describe('a file', () => {
  it.each([
    ['pot.jpg', 'image/jpeg', 'image'],
    ['pot.mp4', 'video/mp4', 'video'],
    ['note.ogg', 'audio/ogg; codecs=opus', 'audio'],
    ['note.m4a', 'audio/x-m4a', 'audio'],
    ['list.DOCX', '', 'document'],
  ])('%s (%s) is sent as %s', (name, type, kind) => {
    expect(look(fileOf(name, type))).toMatchObject({ kind });
  });

  it('gets the type that the API knows it by', () => {
    expect(look(fileOf('list.pdf', ''))).toMatchObject({ file: { type: 'application/pdf', name: 'list.pdf' } });
  });

  it.each([
    ['site.zip', 'application/zip', 10, /^site\.zip: this kind of file can’t be sent/],
    ['pot.webp', 'image/webp', 10, /JPEG or PNG/],
    ['pot.png', 'image/png', 5 * MB + 1, /An image may have at most 5 MB/],
    ['film.mp4', 'video/mp4', 16 * MB + 1, /A video may have at most 16 MB/],
    ['list.pdf', 'application/pdf', 100 * MB + 1, /A document may have at most 100 MB/],
    ['list.txt', 'text/plain', 0, /empty/],
  ])('%s (%s, %d bytes) is refused with words', (name, type, size, said) => {
    const fault = look(fileOf(name, type, size));
    if ('file' in fault) throw new Error('it was taken');
    expect(words.files.refused(name, fault)).toMatch(said);
  });

  it('may be as large as the limit', () => {
    expect(look(fileOf('pot.png', 'image/png', 5 * MB))).toMatchObject({ kind: 'image' });
  });
});

describe('the window', () => {
  it.each([
    ['2026-11-28T16:12:00Z', '2026-11-28T15:58:30Z', '13 min'],
    ['2026-11-28T16:12:00Z', '2026-11-28T16:11:20Z', '40 s'],
    ['2026-11-28T16:12:00Z', '2026-11-28T14:12:00Z', '2 h'],
    ['2026-11-28T16:12:00Z', '2026-11-27T16:16:00Z', '23 h 56 min'],
  ])('until %s is open at %s for %s more', (end, now, left) => {
    expect(words.window.open(end, now)).toMatch(new RegExp(`, ${left}$`));
    expect(words.window.soon(end, now)).toMatch(new RegExp(`, in ${left}$`));
  });

  it('names the day of its end', () => {
    expect(words.window.open('2026-11-29T09:30:00Z', '2026-11-28T12:00:00Z')).toMatch(/ until \d\d:\d\d tomorrow, /);
  });
});

describe('the emoji', () => {
  it('have a name each, and none is there twice', () => {
    expect(new Set(EMOJI.map(({ emoji }) => emoji)).size).toBe(EMOJI.length);
    expect(EMOJI.filter(({ emoji, name }) => emoji === '' || name === '')).toEqual([]);
    expect(EMOJI.length).toBeGreaterThan(250);
  });
});
