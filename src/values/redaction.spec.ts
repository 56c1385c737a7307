import { PersonTokens, redacted, redactedAbout, redactedText } from './redaction.js';

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

  it.each(['call 4915112345678.', 'write to ada@example.test.', '(US.1349)', '+4915112345678'])(
    'finds the person in %j',
    (text) => {
      expect(ada.areNamedIn(text)).toBe(true);
    },
  );

  it.each(['49151123456789', '14915112345678', 'ada@example.tests', 'US.13490', 'US.134'])(
    'does not match %j',
    (text) => {
      expect(ada.areNamedIn(text)).toBe(false);
    },
  );
});
