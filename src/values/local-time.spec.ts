import { instantIn, isTimeZone, parseTime } from './local-time.js';

const wall = (text: string): number => Date.parse(`${text}Z`);

describe('parseTime', () => {
  it.each([
    ['2030-01-31T09:30', '2030-01-31T09:30:00.000', null],
    ['2030-01-31T09:30:15', '2030-01-31T09:30:15.000', null],
    ['2030-01-31T09:30:15.25', '2030-01-31T09:30:15.250', null],
    ['2030-01-31T09:30:15.123456789', '2030-01-31T09:30:15.123', null],
    ['2030-01-31T09:30:15Z', '2030-01-31T09:30:15.000', 0],
    ['2030-01-31t09:30:15z', '2030-01-31T09:30:15.000', 0],
    ['2030-01-31T09:30:15+05:45', '2030-01-31T09:30:15.000', 345],
    ['2030-01-31T09:30:15-0330', '2030-01-31T09:30:15.000', -210],
    ['2030-01-31T09:30:15+02', '2030-01-31T09:30:15.000', 120],
    ['2028-02-29T00:00', '2028-02-29T00:00:00.000', null],
  ])('parses %s', (text, clock, offsetMinutes) => {
    const offset = offsetMinutes === null ? null : offsetMinutes * 60_000;
    expect(parseTime(text)).toEqual({ wallClock: wall(clock), offset });
  });

  it.each([
    '',
    'tomorrow',
    '2030-01-31',
    '2030-01-31 09:30',
    '2030-01-31T09',
    '2030-02-29T09:30',
    '2030-13-01T09:30',
    '2030-00-01T09:30',
    '2030-01-32T09:30',
    '2030-01-31T24:00',
    '2030-01-31T09:60',
    '2030-01-31T09:30:60',
    '2030-01-31T09:30+24:00',
    '2030-01-31T09:30+01:60',
    '1893456000000',
    '+02030-01-31T09:30',
  ])('rejects %j', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Asia/Kathmandu', 'Etc/GMT+5', 'US/Pacific'])(
    'can be %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each(['', 'Mars/Olympus', '+01:00', '-0300', 'Europe/Berlin ', 'Berlin', 'GMT+1'])('cannot be %j', (name) =>
    expect(isTimeZone(name)).toBe(false),
  );
});

describe('a local time', () => {
  it.each([
    ['UTC', '2030-06-01T12:00', '2030-06-01T12:00Z'],
    ['Europe/Berlin', '2030-01-15T09:00', '2030-01-15T08:00Z'],
    ['Europe/Berlin', '2030-07-15T09:00', '2030-07-15T07:00Z'],
    ['Asia/Kathmandu', '2030-07-15T09:00', '2030-07-15T03:15Z'],
    ['Pacific/Kiritimati', '2030-01-01T00:30', '2029-12-31T10:30Z'],
    ['Pacific/Pago_Pago', '2030-01-01T23:30', '2030-01-02T10:30Z'],
    // The last moment before each change and the first after it.
    ['Europe/Berlin', '2030-03-31T01:59:59.999', '2030-03-31T00:59:59.999Z'],
    ['Europe/Berlin', '2030-03-31T03:00', '2030-03-31T01:00Z'],
    ['America/New_York', '2030-03-10T03:00', '2030-03-10T07:00Z'],
    ['Australia/Sydney', '2030-10-06T03:00', '2030-10-05T16:00Z'],
    ['Australia/Lord_Howe', '2030-10-06T02:30', '2030-10-05T15:30Z'],
  ])('in %s, %s is %s', (zone, local, instant) => {
    expect(instantIn(zone, wall(local))?.toISOString()).toBe(new Date(instant).toISOString());
  });

  it.each([
    ['Europe/Berlin', '2030-03-31T02:00'],
    ['Europe/Berlin', '2030-03-31T02:59:59.999'],
    ['America/New_York', '2030-03-10T02:30'],
    ['Australia/Sydney', '2030-10-06T02:30'],
    ['Australia/Lord_Howe', '2030-10-06T02:15'],
    ['America/Santiago', '2030-09-08T00:30'],
  ])('in %s, %s is skipped', (zone, local) => {
    expect(instantIn(zone, wall(local))).toBeNull();
  });

  it.each([
    ['Europe/Berlin', '2030-10-27T02:30', '2030-10-27T00:30Z'],
    ['America/New_York', '2030-11-03T01:30', '2030-11-03T05:30Z'],
    ['Australia/Sydney', '2030-04-07T02:30', '2030-04-06T15:30Z'],
    ['Australia/Lord_Howe', '2030-04-07T01:45', '2030-04-06T14:45Z'],
    ['America/Santiago', '2030-04-06T23:30', '2030-04-07T02:30Z'],
  ])('in %s, %s occurs twice and means the first: %s', (zone, local, instant) => {
    expect(instantIn(zone, wall(local))?.toISOString()).toBe(new Date(instant).toISOString());
  });
});
