import { openingsAt } from './send-window-rules.js';

describe('a send window', () => {
  const opening = (from: string, to: string, zones: string[], at: string) => {
    const { opensAt, closesAt } = openingsAt({ from, to }, new Date(at))(zones);
    return `${opensAt.toISOString().slice(5, 16)} ${closesAt.toISOString().slice(5, 16)}`;
  };

  it.each([
    ['before it opens', '2030-01-15T07:59:59.999Z', '01-15T08:00 01-15T19:00'],
    ['when it opens', '2030-01-15T08:00:00Z', '01-15T08:00 01-15T19:00'],
    ['just before it closes', '2030-01-15T18:59:59.999Z', '01-15T08:00 01-15T19:00'],
    ['when it closes', '2030-01-15T19:00:00Z', '01-16T08:00 01-16T19:00'],
    ['in summer', '2030-07-15T12:00:00Z', '07-15T07:00 07-15T18:00'],
  ])('in one zone, %s', (_, at, expected) => {
    expect(opening('09:00', '20:00', ['Europe/Berlin'], at)).toBe(expected);
  });

  it.each([
    ['late in the evening', '2030-01-15T22:00:00Z', '01-15T21:00 01-16T05:00'],
    ['after midnight', '2030-01-16T04:59:00Z', '01-15T21:00 01-16T05:00'],
    ['in the morning', '2030-01-16T05:00:00Z', '01-16T21:00 01-17T05:00'],
  ])('that spans midnight, %s', (_, at, expected) => {
    expect(opening('22:00', '06:00', ['Europe/Berlin'], at)).toBe(expected);
  });

  it.each([
    ['Pacific/Kiritimati', '2030-01-15T09:59:00Z', '01-14T19:00 01-15T06:00', '01-15T19:00 01-16T06:00'],
    ['Pacific/Pago_Pago', '2030-01-15T06:00:00Z', '01-14T20:00 01-15T07:00', '01-15T20:00 01-16T07:00'],
  ])('far from Greenwich, in %s', (zone, at, open, next) => {
    expect([open, next]).toContain(opening('09:00', '20:00', [zone], at));
  });

  it('follows local time across clock changes', () => {
    expect(opening('09:00', '20:00', ['Europe/Berlin'], '2030-03-30T20:00:00Z')).toBe('03-31T07:00 03-31T18:00');
    expect(opening('09:00', '20:00', ['Europe/Berlin'], '2030-10-26T20:00:00Z')).toBe('10-27T08:00 10-27T19:00');
    expect(opening('22:00', '06:00', ['Europe/Berlin'], '2030-03-30T22:00:00Z')).toBe('03-30T21:00 03-31T04:00');
  });

  it('opens an hour later when its first minute is skipped, and closes at the first of two repeated minutes', () => {
    expect(opening('02:30', '08:00', ['Europe/Berlin'], '2030-03-31T00:00:00Z')).toBe('03-31T01:30 03-31T06:00');
    expect(opening('01:00', '02:30', ['Europe/Berlin'], '2030-10-26T23:30:00Z')).toBe('10-26T23:00 10-27T00:30');
  });

  it('in several zones is open when it is open in all of them', () => {
    const coasts = ['America/New_York', 'America/Los_Angeles'];
    expect(opening('09:00', '20:00', coasts, '2030-01-15T15:00:00Z')).toBe('01-15T17:00 01-16T01:00');
    expect(opening('09:00', '20:00', coasts, '2030-01-16T01:00:00Z')).toBe('01-16T17:00 01-17T01:00');
    expect(opening('20:00', '09:00', coasts, '2030-01-16T01:30:00Z')).toBe('01-16T04:00 01-16T14:00');
  });

  it('in several zones may open twice a day', () => {
    const apart = ['UTC', 'Pacific/Auckland'];
    expect(opening('08:00', '22:00', apart, '2030-07-15T00:00:00Z')).toBe('07-15T08:00 07-15T10:00');
    expect(opening('08:00', '22:00', apart, '2030-07-15T10:00:00Z')).toBe('07-15T20:00 07-15T22:00');
  });

  it('that is never open in all zones follows the first zone', () => {
    const apart = ['Asia/Tokyo', 'America/New_York'];
    expect(opening('10:00', '12:00', apart, '2030-01-15T00:00:00Z')).toBe('01-15T01:00 01-15T03:00');
    expect(opening('10:00', '12:00', [...apart].reverse(), '2030-01-15T00:00:00Z')).toBe('01-15T15:00 01-15T17:00');
  });

  it('without a zone is in UTC', () => {
    expect(opening('09:00', '20:00', [], '2030-01-15T10:00:00Z')).toBe('01-15T09:00 01-15T20:00');
  });
});
