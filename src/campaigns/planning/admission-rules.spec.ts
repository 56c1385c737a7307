import type { Restriction } from '../../accounts/restrictions.js';
import { admit, type Terms, type WaitingRecipient } from './admission-rules.js';
import { NEVER } from './campaign-opening.queries.js';
import type { Opening } from './send-window-rules.js';

const AT = new Date('2030-01-15T12:00:00Z');
const inMinutes = (minutes: number): Date => new Date(AT.getTime() + minutes * 60_000);

/** Openings by minutes from now, the next of which counts. */
const opens =
  (...openings: readonly (readonly [from: number, to: number])[]) =>
  (at: Date): Opening | null => {
    const all = openings.map(([from, to]) => ({ opensAt: inMinutes(from), closesAt: inMinutes(to) }));
    return all.find(({ closesAt }) => closesAt > at) ?? null;
  };

describe('campaign recipients', () => {
  const recipient = (contactId: string, more: Partial<WaitingRecipient> = {}): WaitingRecipient => ({
    contactId,
    openingAt: () => null,
    isExempt: false,
    windowEndsAt: null,
    ...more,
  });
  const terms = (more: Partial<Terms> = {}): Terms => ({
    allowance: null,
    restrictions: { inWindows: null, outside: null },
    ...more,
  });
  const limit = (people: number, minutes: number): Partial<Terms> => ({
    allowance: { people, moreAt: inMinutes(minutes), recheckAt: inMinutes(Math.min(5, minutes)) },
  });
  const restriction = (minutes: number | null): Restriction => ({
    type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
    reason: 'restricted',
    until: minutes === null ? null : inMinutes(minutes),
  });
  const outside = (minutes: number | null): Partial<Terms> => ({
    restrictions: { inWindows: null, outside: restriction(minutes) },
  });
  const dueAt = (...given: Parameters<typeof admit>) => admit(...given).recipients.map(({ dueAt: at }) => at);

  it('are all sent to when nothing binds them', () => {
    expect(admit([recipient('a')], terms(), AT)).toEqual({
      recipients: [{ contactId: 'a', dueAt: null, isAdmitted: false }],
      closesAt: null,
      waitingUntil: null,
      waitingReason: null,
      refusedForGood: null,
    });
  });

  describe('with a send window', () => {
    const [open, closed] = [opens([-60, 30]), opens([60, 120])];

    it('wait for it, and the campaign closes when the first window does', () => {
      const plan = admit([recipient('a', { openingAt: open }), recipient('b', { openingAt: closed })], terms(), AT);
      expect(plan.recipients.map(({ dueAt: at }) => at)).toEqual([null, inMinutes(60)]);
      expect(plan).toMatchObject({
        closesAt: inMinutes(30),
        waitingUntil: inMinutes(60),
        waitingReason: 'send_window',
      });
      expect(admit([recipient('b', { openingAt: closed })], terms(), AT)).toMatchObject({ closesAt: inMinutes(120) });
    });

    it('use none of the limit while it is closed', () => {
      const plan = admit(
        [recipient('a', { openingAt: closed }), recipient('b', { openingAt: opens([-60, 90]) })],
        terms(limit(2, 600)),
        AT,
      );
      expect(plan.recipients.map(({ isAdmitted }) => isAdmitted)).toEqual([false, true]);
      expect(plan).toMatchObject({ closesAt: inMinutes(60), waitingUntil: inMinutes(60) });
    });

    it('wait for the first opening at which the limit leaves room', () => {
      const plan = admit([recipient('a', { openingAt: opens([60, 120], [600, 660]) })], terms(limit(0, 90)), AT);
      expect(plan).toMatchObject({ waitingUntil: inMinutes(90), waitingReason: 'messaging_limit' });
      const later = admit([recipient('a', { openingAt: opens([60, 120], [600, 660]) })], terms(limit(0, 130)), AT);
      expect(later).toMatchObject({ waitingUntil: inMinutes(600), waitingReason: 'send_window' });
    });
  });

  describe('with a messaging limit', () => {
    it('are admitted in order up to it, plus those who do not count toward it', () => {
      const some = ['a', 'b', 'c'].map((id) => recipient(id));
      const plan = admit([...some, recipient('free', { isExempt: true })], terms(limit(2, 90)), AT);
      expect(plan).toEqual({
        recipients: [
          { contactId: 'a', dueAt: null, isAdmitted: true },
          { contactId: 'b', dueAt: null, isAdmitted: true },
          { contactId: 'c', dueAt: inMinutes(90), isAdmitted: false },
          { contactId: 'free', dueAt: null, isAdmitted: false },
        ],
        // Other campaigns may free some of the limit before then.
        closesAt: inMinutes(5),
        waitingUntil: inMinutes(90),
        waitingReason: 'messaging_limit',
        refusedForGood: null,
      });
    });

    it('all wait when it is used up', () => {
      expect(admit([recipient('a')], terms(limit(0, 3)), AT)).toMatchObject({
        closesAt: inMinutes(3),
        waitingUntil: inMinutes(3),
        waitingReason: 'messaging_limit',
      });
    });
  });

  describe('of a restricted phone', () => {
    it('wait for its end, except those with an open service window', () => {
      const plan = admit([recipient('a'), recipient('open', { windowEndsAt: inMinutes(20) })], terms(outside(60)), AT);
      expect(plan.recipients.map(({ dueAt: at }) => at)).toEqual([inMinutes(60), null]);
      expect(plan).toMatchObject({
        closesAt: inMinutes(1),
        waitingUntil: inMinutes(60),
        waitingReason: 'restriction',
        refusedForGood: null,
      });
    });

    it('wait for their send window if that opens after its end', () => {
      const openingAt = opens([-60, 30], [600, 660]);
      expect(admit([recipient('a', { openingAt })], terms(outside(60)), AT)).toMatchObject({
        waitingUntil: inMinutes(600),
        waitingReason: 'send_window',
      });
    });

    it('wait for its end if their service window closes before their send window opens', () => {
      const openingAt = opens([30, 90]);
      const of = (minutes: number) => [recipient('a', { openingAt, windowEndsAt: inMinutes(minutes) })];
      expect(dueAt(of(20), terms(outside(60)), AT)).toEqual([inMinutes(60)]);
      expect(dueAt(of(40), terms(outside(60)), AT)).toEqual([inMinutes(30)]);
    });

    it('are refused for good when it has no end and nobody else is left', () => {
      const refused = restriction(null);
      const plan = admit([recipient('a')], terms(outside(null)), AT);
      expect(plan).toEqual({
        recipients: [{ contactId: 'a', dueAt: NEVER, isAdmitted: false }],
        closesAt: new Date(AT.getTime() + 5000),
        waitingUntil: null,
        waitingReason: 'restriction',
        refusedForGood: refused,
      });
      const some = [recipient('a'), recipient('open', { windowEndsAt: inMinutes(20) })];
      expect(admit(some, terms(outside(null)), AT)).toMatchObject({
        refusedForGood: null,
        waitingReason: 'restriction',
      });
      const all = { inWindows: refused, outside: refused };
      expect(admit([recipient('a')], terms({ restrictions: all }), AT)).toMatchObject({ refusedForGood: refused });
    });
  });
});
