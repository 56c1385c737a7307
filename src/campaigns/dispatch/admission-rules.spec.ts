import { admit, type WaitingRecipient } from './admission-rules.js';

const AT = new Date('2030-01-15T12:00:00Z');
const inMinutes = (minutes: number): Date => new Date(AT.getTime() + minutes * 60_000);

describe('campaign recipients', () => {
  const recipient = (contactId: string, more: Partial<WaitingRecipient> = {}): WaitingRecipient => ({
    contactId,
    opening: null,
    isExempt: false,
    ...more,
  });
  const [open, closed] = [
    { opensAt: inMinutes(-60), closesAt: inMinutes(30) },
    { opensAt: inMinutes(60), closesAt: inMinutes(120) },
  ];

  it('are all sent to when there is neither a window nor a limit', () => {
    expect(admit([recipient('a')], null, AT)).toEqual({
      recipients: [{ contactId: 'a', dueAt: null, isAdmitted: false }],
      opensAt: null,
      closesAt: null,
      waitingUntil: null,
    });
  });

  it('wait for their windows, and the campaign closes when the first window does', () => {
    const plan = admit([recipient('a', { opening: open }), recipient('b', { opening: closed })], null, AT);
    expect(plan.recipients.map(({ dueAt }) => dueAt)).toEqual([null, inMinutes(60)]);
    expect(plan).toMatchObject({ opensAt: null, closesAt: inMinutes(30), waitingUntil: inMinutes(60) });
    expect(admit([recipient('b', { opening: closed })], null, AT)).toMatchObject({
      opensAt: inMinutes(60),
      closesAt: inMinutes(120),
    });
  });

  it('are admitted in order up to the limit, plus those who do not count toward it', () => {
    const some = ['a', 'b', 'c'].map((id) => recipient(id));
    const plan = admit([...some, recipient('free', { isExempt: true })], { people: 2, moreAt: inMinutes(90) }, AT);
    expect(plan).toEqual({
      recipients: [
        { contactId: 'a', dueAt: null, isAdmitted: true },
        { contactId: 'b', dueAt: null, isAdmitted: true },
        { contactId: 'c', dueAt: inMinutes(90), isAdmitted: false },
        { contactId: 'free', dueAt: null, isAdmitted: false },
      ],
      opensAt: null,
      // Other campaigns may free some of the limit before then.
      closesAt: inMinutes(5),
      waitingUntil: inMinutes(90),
    });
  });

  it('use none of the limit while their window is closed', () => {
    const plan = admit(
      [recipient('a', { opening: closed }), recipient('b', { opening: { ...open, closesAt: inMinutes(90) } })],
      { people: 1, moreAt: inMinutes(600) },
      AT,
    );
    expect(plan.recipients.map(({ isAdmitted }) => isAdmitted)).toEqual([false, true]);
    expect(plan).toMatchObject({ closesAt: inMinutes(60), waitingUntil: inMinutes(60) });
  });

  it('all wait when the limit is used up', () => {
    expect(admit([recipient('a')], { people: 0, moreAt: inMinutes(3) }, AT)).toMatchObject({
      opensAt: inMinutes(3),
      closesAt: inMinutes(3),
      waitingUntil: inMinutes(3),
    });
  });
});
