/** How far the dates of answers, which are whole seconds and take a while to arrive, may be off. Milliseconds. */
const ROUGH_MS = 2000;
const HALF_SECOND_MS = 500;

/** By how much the clock of the service is ahead of the device’s, milliseconds. */
let aheadMs = 0;
/** Whether the stream has said so, which is more exact than any answer. */
let isExact = false;

/** The time of the service, whatever the clock of the device says. */
export const serverNow = (): Date => new Date(Date.now() + aheadMs);

/** Notes what the stream says. @param ahead milliseconds; null once there is no stream */
export function noteServerClock(ahead: number | null): void {
  isExact = ahead !== null;
  if (ahead !== null) aheadMs = ahead;
}

/** Notes the date of an answer, for as long as there is no stream. */
export function noteDate(date: string | null): void {
  const ahead = Date.parse(date ?? '') + HALF_SECOND_MS - Date.now();
  if (!isExact && Math.abs(ahead - aheadMs) > ROUGH_MS) aheadMs = ahead;
}
