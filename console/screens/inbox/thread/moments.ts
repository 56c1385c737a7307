/** Made once, because a thread has hundreds of times. */
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

/** The time of day: “16:12”. */
export const clockOf = (moment: string | Date): string => CLOCK.format(new Date(moment));

/** Date and time in full. */
export const fullOf = (moment: string | Date): string => FULL.format(new Date(moment));

/** How many calendar days lie between two moments. */
export function daysBetween(moment: string | Date, now: Date): number {
  const date = new Date(moment);
  const day = (one: Date): number => Date.UTC(one.getFullYear(), one.getMonth(), one.getDate());
  return Math.round((day(now) - day(date)) / 86_400_000);
}

/** A day by its name: “Monday, 12 October”, with the year instead of the weekday if it is another one. */
export function dayName(moment: string | Date, now: Date): string {
  const date = new Date(moment);
  return (date.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR).format(date);
}
