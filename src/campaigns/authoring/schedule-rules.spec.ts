import { futureInstant } from './schedule-rules.js';

const NOW = new Date('2030-01-15T12:00:00Z');
const read = (written: string, zone: string | null = null) => futureInstant('scheduled_at', written, zone, NOW);

describe('a campaign’s scheduled time', () => {
  it.each([
    ['2030-01-15T12:00:00.001', null, '2030-01-15T12:00:00.001Z'],
    ['2030-07-15T09:00', 'Europe/Berlin', '2030-07-15T07:00:00.000Z'],
    ['2030-07-15T09:00-05:00', 'Europe/Berlin', '2030-07-15T14:00:00.000Z'],
    ['2030-10-27T02:30', 'Europe/Berlin', '2030-10-27T00:30:00.000Z'],
    // A time with an offset always exists.
    ['2030-03-31T02:30+01:00', 'Europe/Berlin', '2030-03-31T01:30:00.000Z'],
  ])('%s in %s is %s', (written, zone, instant) => {
    expect(read(written, zone).toISOString()).toBe(instant);
  });

  it.each([
    ['2030-01-15T12:00:00', null, /^scheduled_at must be in the future/],
    [
      '2030-01-15T12:30:00',
      'Europe/Berlin',
      /^scheduled_at must be in the future .* which is 2030-01-15T11:30:00.000Z/,
    ],
    ['2030-03-31T02:30', 'Europe/Berlin', /^scheduled_at 2030-03-31T02:30 does not exist in Europe\/Berlin/],
    ['soon', null, /^scheduled_at must be an ISO 8601 date and time/],
  ])('rejects %s in %s', (written, zone, message) => {
    expect(() => read(written, zone)).toThrow(message);
  });
});
