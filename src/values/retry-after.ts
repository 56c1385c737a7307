import { SECOND } from './clock.js';

const SECONDS = /^\d{1,9}(\.\d+)?$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a `Retry-After` header, given in seconds or as a date.
 *
 * @param at when the response arrived
 * @returns milliseconds from `at`, at least 0; null when the header is absent or malformed
 */
export function retryAfterMs(header: string | string[] | undefined, at: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * SECOND;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime());
}
