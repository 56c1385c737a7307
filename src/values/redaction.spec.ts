import { namesAnyone, PersonTokens, partsAbout, redacted, redactedAbout, redactedText } from './redaction.js';

const ID = '01990000-0000-7000-8000-000000000001';

describe('JSON about an erased person', () => {
  it('keeps ids, times and our own vocabulary, but no names or written text', () => {
    expect(
      redacted({
        event: 'message.received',
        timestamp: '2026-01-31T09:30:00.000',
        message: {
          message_id: ID,
          contact_phone: '4915112345678',
          contact_name: 'Ada Lindgrove',
          content: 'My number is 4915112345678',
          message_type: 'text',
          is_reply: false,
        },
      }),
    ).toEqual({
      event: 'message.received',
      timestamp: '2026-01-31T09:30:00.000',
      message: {
        message_id: ID,
        contact_phone: null,
        contact_name: '',
        content: '',
        message_type: 'text',
        is_reply: false,
      },
    });
  });

  it('keeps which staff member did something', () => {
    const actor = { user_id: 'system', name: 'system', source: 'auto_reply' };
    expect(redacted({ conversation: { assigned_to: ID, assigned_to_name: 'Kim', note: 'Is angry', actor } })).toEqual({
      conversation: { assigned_to: ID, assigned_to_name: 'Kim', note: null, actor },
    });
  });

  it('removes text in unlisted fields and in lists', () => {
    expect(redacted({ nickname: 'Ada', tags: ['vip'], cards: [{ label: 'Ada' }] })).toEqual({
      nickname: '',
      tags: [],
      cards: [{ label: '' }],
    });
  });

  it.each([
    ['content', ID],
    ['content', '2026-01-31T09:30:00Z'],
    ['contact_user_id', 'US.13491208655302741918'],
    ['id', 'yes-ada'],
  ])('does not treat %s %j as an id or a time', (field, text) => {
    expect(redacted({ [field]: text })).not.toEqual({ [field]: text });
  });

  it('does not change when redacted again', () => {
    const once = redactedText(JSON.stringify({ event: 'message.read', message: { contact_name: 'Ada', note: 'x' } }));
    expect(redactedText(once)).toBe(once);
  });

  it('turns text that is not JSON into an empty object', () => {
    expect(redactedText('Ada')).toBe('{}');
  });
});

describe('JSON about many people', () => {
  const ada = new PersonTokens(['4915112345678', 'Ada@Example.test', 'US.1349']);

  it('loses only objects that name the person', () => {
    expect(
      redactedAbout(
        {
          status: 'success',
          message: 'Contacts imported',
          errors: [
            { line: 2, phone_number: '4915112345678', error: 'bad_request', name: 'Ada' },
            { line: 3, phone_number: '4915100000000', error: 'bad_request', name: 'Bo' },
          ],
          invalid_phones: ['x4915112345678', '12'],
        },
        ada,
      ),
    ).toEqual({
      status: 'success',
      message: 'Contacts imported',
      errors: [
        { line: 2, phone_number: null, error: 'bad_request', name: '' },
        { line: 3, phone_number: '4915100000000', error: 'bad_request', name: 'Bo' },
      ],
      invalid_phones: ['12'],
    });
  });

  it.each([
    'call 4915112345678.',
    'write to ada@example.test.',
    '(US.1349)',
    '+4915112345678',
    '?q=%204915112345678',
    '?m=ada%40example.test',
  ])('finds the person in %j', (text) => {
    expect(ada.areNamedIn(text)).toBe(true);
  });

  it.each([
    'call 4915100000000',
    '4915112345678 and 4915100000000',
    'ada@example.test, bo@example.test',
    'US.1349 or US.1350',
    '?q=%204915100000000',
    '?m=bo%40example.test',
    'm=bo%40example.test',
    'x=ada@example.test',
    'Bo has x/ada@example.test',
    '100%14915112345678',
    'https://shop.example/?m=ada@example.test x=ada@example.test',
  ])('finds others in %j', (text) => {
    expect(ada.othersAreNamedIn(text)).toBe(true);
  });

  it.each([
    'call 4915112345678 at 2026-01-31T09:30:00.000Z',
    '?q=%204915112345678',
    '<Ada@Example.test>.',
    'US.1349',
    ID,
    'wamid.HBgNNDkxNTExMjM0NTY3OA1234567890==',
    'code 123456',
    'https://shop.example/?x=1&m=ada@example.test#top',
    'see (HTTP://shop.example/ada%40example.test)',
    '/contacts/ada@example.test',
  ])('finds nobody else in %j', (text) => {
    expect(ada.othersAreNamedIn(text)).toBe(false);
  });

  it('takes what stands around the address of a person outside URLs for a part of it', () => {
    const team = new PersonTokens(['r&d@example.test']);
    expect(team.areNamedIn('write to r&d@example.test')).toBe(true);
    expect(team.othersAreNamedIn('write to r&d@example.test')).toBe(false);
    expect(partsAbout(['x=ada@example.test', 'ada@example.test'], ada)).toEqual(['ada@example.test']);
  });

  it('keeps of an object that names others too only what cannot be about them', () => {
    const time = '2026-01-31T09:30:00Z';
    const record = { id: ID, from: '4915112345678', to: '4915100000000', to_name: 'Bo', status: 'sent', sent_at: time };
    expect(partsAbout({ list: [record, 'x4915100000000'], from: 'Bo' }, ada)).toEqual([
      { id: ID, from: '4915112345678', status: 'sent', sent_at: time },
    ]);
    expect(partsAbout({ from: '4915112345678', name: 'Ada' }, ada)).toEqual([{ from: '4915112345678', name: 'Ada' }]);
  });

  it.each(['49151123456789', '14915112345678', 'ada@example.tests', 'US.13490', 'US.134'])(
    'does not match %j',
    (text) => {
      expect(ada.areNamedIn(text)).toBe(false);
    },
  );
});

describe('namesAnyone', () => {
  it.each([
    ['a number', '{"phone":"+4915112345678"}'],
    ['a user id', '{"user_id":"US.13491208655302741918"}'],
    ['an e-mail address', '{"text":"write to ada@example.org"}'],
    ['an e-mail address with a record id', `{"text":"reply-${ID}@example.org or ${ID}@example.org"}`],
    ['an encoded e-mail address', 'https://shop.example/?m=ada%40example.org'],
    ['a number beside a record id', `{"id":"${ID}","text":"4915112345678"}`],
  ])('finds %s', (_, text) => {
    expect(namesAnyone(text)).toBe(true);
    // Nothing is left of the last search.
    expect(namesAnyone(text)).toBe(true);
  });

  it.each([
    ['record ids', `{"id":"${ID}","ids":["019a0000-1234-7000-8000-123456789012"]}`],
    ['times and amounts', '{"created_at":"2026-01-31T09:30:00.123Z","total":120034,"name":"Friends"}'],
    ["the network's id of a message", '{"message_id":"wamid.HBgNNDkxNTExMjM0NTY3OA1234567890=="}'],
    ['an @ alone', '{"text":"see you @ 9"}'],
  ])('does not take %s for a person', (_, text) => {
    expect(namesAnyone(text)).toBe(false);
  });
});
