/** A time as the API or the clock gives it. */
export type Moment = Date | string;

/** How times are written: the language and the zone; by default those of the browser. */
export interface TimeStyle {
  readonly locale?: string;
  readonly zone?: string;
}

/** The time of day: “16:12”. */
export const clock = (moment: Moment, style: TimeStyle = {}): string =>
  written(moment, style, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Date and time in full, for hover and focus. */
export const fullTime = (moment: Moment, style: TimeStyle = {}): string =>
  written(moment, style, { dateStyle: 'full', timeStyle: 'long' });

/** As people say it: “16:12” today, “yesterday 09:30”, “tomorrow 09:30”, “12 October”, and with the year if it is another one. */
export function when(moment: Moment, now: Moment, style: TimeStyle = {}): string {
  const days = dayOf(now, style) - dayOf(moment, style);
  if (days === 0) return clock(moment, style);
  if (days === 1) return `yesterday ${clock(moment, style)}`;
  if (days === -1) return `tomorrow ${clock(moment, style)}`;
  const isThisYear = yearOf(moment, style) === yearOf(now, style);
  return written(moment, style, { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) });
}

/** How long something takes, in at most two units: “40 s”, “5 min”, “2 h 10 min”, “1 day 7 h”, “3 days”. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 100) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 10) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const nearest = Math.round(minutes / 60);
  if (nearest < 24) return `${nearest} h`;
  const [days, rest] = nearest < 72 ? [Math.floor(nearest / 24), nearest % 24] : [Math.round(nearest / 24), 0];
  return `${days} ${days === 1 ? 'day' : 'days'}${rest === 0 ? '' : ` ${rest} h`}`;
}

const MS_PER_DAY = 86_400_000;

/** Whole days since 1970, as the calendar of the zone counts them. */
function dayOf(moment: Moment, { zone }: TimeStyle): number {
  const [year = 0, month = 1, day = 1] = written(moment, { locale: 'en-CA', ...(zone !== undefined && { zone }) }, DATE)
    .split('-')
    .map(Number);
  return Date.UTC(year, month - 1, day) / MS_PER_DAY;
}

const DATE = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

const yearOf = (moment: Moment, { zone }: TimeStyle): string =>
  written(moment, { locale: 'en-CA', ...(zone !== undefined && { zone }) }, { year: 'numeric' });

/** Making one costs more than all else of a row; there are few. */
const formats = new Map<string, Intl.DateTimeFormat>();

function written(moment: Moment, { locale, zone }: TimeStyle, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify([locale, zone, options]);
  const format =
    formats.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, ...(zone !== undefined && { timeZone: zone }) });
  formats.set(name, format);
  return format.format(new Date(moment));
}
