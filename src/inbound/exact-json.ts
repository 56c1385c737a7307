import { pause } from '../runtime/slices.js';

/** A number of 16 digits or more in an array or object. Finds some in strings, too. */
const LONG_NUMBER = /[:[, \t\r\n-]\d{16}/;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Like `JSON.parse`, but integers beyond 2^53 become strings of their digits instead of being rounded. Ids in the
 * network's notices can be that large. Takes time in proportion to the text, hardly more than `JSON.parse` for a text
 * without large integers.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export async function parseExactJson(text: string): Promise<unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number' && !LONG_NUMBER.test(text)) return value;
  const quoted = await quoteLargeIntegers(text);
  await pause();
  return JSON.parse(quoted);
}

/** Numbers that are read before other work gets its turn. */
const NUMBERS_PER_LOOK = 1000;

/** @param json valid JSON */
async function quoteLargeIntegers(json: string): Promise<string> {
  const parts: string[] = [];
  let copied = 0;
  let numbers = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      numbers += 1;
      if (numbers % NUMBERS_PER_LOOK === 0) await pause();
      const end = endOfNumber(json, at);
      if (isLargeInteger(json, at, end)) {
        parts.push(json.slice(copied, at), `"${json.slice(at, end)}"`);
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return parts.join('') + json.slice(copied);
}

/** The position after the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** The position after the number that starts at `start`. */
function endOfNumber(json: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(json);
  return NUMBER.lastIndex;
}

/** Whether the number is written as an integer that a double may not hold. */
function isLargeInteger(json: string, start: number, end: number): boolean {
  if (end - start < 16) return false;
  const number = json.slice(start, end);
  return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}
