import { clock, when } from '../../words/times.js';

const SECONDS: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

/** A time with its second, for what happens within one: “16:15:58” today, else as dates are said. */
export function secondOf(at: string, now = new Date()): string {
  if (at === '') return '';
  const said = when(at, now);
  return said === clock(at) ? new Intl.DateTimeFormat(undefined, SECONDS).format(new Date(at)) : said;
}
