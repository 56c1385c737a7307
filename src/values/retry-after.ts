import { SECOND } from './clock.js';

const SECONDS = /^\d{1,9}(\.\d+)?$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header, which gives seconds or a date.
 *
 * @param at when the answer came
 * @returns milliseconds from `at` on, at least 0; null when it is absent or makes no sense
 */
export function retryAfterMs(header: string | string[] | undefined, at: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * SECOND;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime());
}
