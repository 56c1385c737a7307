import { ParleyError } from '../../clients/typescript/src/parley-error.js';
import { newestOf } from '../../console/screens/inbox/handling/newest-unanswered.js';
import { type Held, outcomeOf } from '../../console/screens/inbox/handling/outcome.js';
import { SecondPress } from '../../console/screens/inbox/handling/second-press.js';
import { found, previewOf, wrongName, wrongText } from '../../console/screens/saved-replies/reply-rules.js';
import { addressBelow } from '../../console/screens/welcome/address-below.js';
import { settingsWords } from '../../console/words/inbox-settings.js';
import { counted, inboxWorkWords } from '../../console/words/inbox-work.js';

const answered = (status: number | null): ParleyError =>
  new ParleyError('conversations.assign', {
    response: status === null ? null : new Response(null, { status }),
    detail: 'no',
    idempotencyKey: null,
  });

describe('what became of an action on a conversation', () => {
  const nobodys: Held = { status: 'open', assigned_to: null, assigned_to_name: null };
  const mine: Held = { status: 'open', assigned_to: 'me', assigned_to_name: 'Ida Marloth' };
  const theirs: Held = { status: 'open', assigned_to: 'her', assigned_to_name: 'Nura Hallebek' };
  const done: Held = { ...nobodys, status: 'resolved' };

  it.each([
    [401, nobodys, null],
    [409, theirs, 'Nura Hallebek was first and has this conversation now.'],
    [409, undefined, 'A colleague was first and has this conversation now.'],
    [400, done, 'It was resolved meanwhile. Reopen it to hand it on.'],
    [404, nobodys, 'Ida Marloth can no longer be assigned. Choose somebody else.'],
    [403, nobodys, 'Nothing was changed. Your role doesn’t allow that.'],
    [504, mine, null],
    [504, nobodys, 'Parley has not answered whether that took effect. Look again in a moment.'],
    [null, undefined, 'Parley has not answered whether that took effect. Look again in a moment.'],
  ])('%s: %j', (status, now, text) => {
    expect(outcomeOf(answered(status), mine, nobodys, now)?.text ?? null).toBe(text);
  });
});

describe('the newest message of somebody who was not answered', () => {
  const window_expires_at = '2026-11-28T10:00:00.000Z';

  it.each([
    ['2026-11-27T10:00:00.000Z', 'out', window_expires_at],
    [null, 'in', window_expires_at],
    [null, 'out', null],
    [null, null, null],
  ] as const)('waiting since %s, last message %s: %s', (waiting_since, last_message_direction, newest) => {
    expect(newestOf({ waiting_since, last_message_direction, window_expires_at })).toBe(newest);
  });
});

describe('the second press on a button', () => {
  const pressed = (): SecondPress => {
    const second = new SecondPress();
    second.pointsAt({ x: 900, y: 30 });
    second.wentOn(1000);
    return second;
  };

  it('is meant for what stood there before, for a second', () => {
    const second = pressed();
    expect([1000, 1400, 1999, 2000].map((now) => second.isMeantForBefore(now))).toEqual([true, true, true, false]);
    expect(new SecondPress().isMeantForBefore(0)).toBe(false);
  });

  it('is meant for what stands there now once the pointer has moved, but not once it has trembled', () => {
    const second = pressed();
    second.pointsAt({ x: 903, y: 33 });
    expect(second.isMeantForBefore(1100)).toBe(true);
    second.pointsAt({ x: 860, y: 60 });
    expect(second.isMeantForBefore(1100)).toBe(false);
  });
});

describe('where a link leads', () => {
  it.each([
    ['a/campaigns/b', '/console/a/campaigns/b'],
    ['a/inbox?view=all', '/console/a/inbox?view=all'],
    ['../docs', null],
    ['..', null],
    ['/elsewhere.example', null],
    ['\\elsewhere.example', null],
    ['https://elsewhere.example', '/console/https://elsewhere.example'],
    ['', null],
    [null, null],
  ])('%s: %s', (to, address) => {
    expect(addressBelow(to)).toBe(address);
  });
});

describe('the words of work', () => {
  it('count people', () => {
    expect([0, 1, 999, 1000].map(counted)).toEqual(['0', '1', '999', '1,000+']);
    expect(inboxWorkWords.waiting(1, 0)).toBe('1 person waits');
    expect(inboxWorkWords.waiting(7, 7)).toBe('7 people wait');
    expect(inboxWorkWords.waiting(1000, 2)).toBe('1,000+ people wait, 2 of them for you');
  });
});

describe('a saved reply', () => {
  const { emptyName, emptyText } = settingsWords.replies;

  it.each([
    ['', emptyName],
    ['  ', emptyName],
    ['🌷'.repeat(60), null],
    ['a'.repeat(61), '61 characters. At most 60 fit.'],
  ])('name %s: %s', (name, wrong) => expect(wrongName(name)).toBe(wrong));

  it.each([
    ['', emptyText],
    ['Hello {{first_name}}', null],
    ['a'.repeat(4097), '4,097 characters. At most 4,096 fit.'],
    [
      'Hello {{ first_name }}',
      '{{ first_name }} is not known. There are first_name, last_name, phone_number, email, company.',
    ],
  ])('text %s: %s', (text, wrong) => expect(wrongText(text)).toBe(wrong));

  it('is previewed with made-up values, and found by name and text', () => {
    expect(previewOf('{{first_name}} of {{company}}, {{age}}')).toBe('Greta of Holmvik Terraces, {{age}}');
    const of = (name: string, text: string) => ({ id: name, name, text, created_at: '', updated_at: '' });
    const all = [of('Thanks', 'Thank you'), of('Hours', 'From nine'), of('address', 'Here')];
    expect(found(all, '').map(({ name }) => name)).toEqual(['address', 'Hours', 'Thanks']);
    expect(found(all, ' NINE ').map(({ name }) => name)).toEqual(['Hours']);
  });
});
