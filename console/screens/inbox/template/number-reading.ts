import { isPhoneNumber } from '../../../../src/values/phone-number.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';

/** What somebody has typed as a number: its digits with the country code, or what is wrong with it. */
export type NumberReading = { readonly digits: string } | { readonly problem: string };

const SEPARATORS = /[\s().\-/\u2010-\u2015\u200e\u200f\u202a-\u202e]/g;
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/** Reads a number with its country code: with `+`, `00` or neither, and with whatever stands between the digits. */
export function readTypedNumber(text: string): NumberReading {
  const { letters, national, digits: wrongLength } = inboxTemplateWords.fresh;
  const plain = text.replace(SEPARATORS, '').replace(/^(?:\+|00)/, '');
  if (!/^\d*$/.test(plain)) return { problem: letters };
  if (plain.startsWith('0')) return { problem: national };
  return isPhoneNumber(plain) ? { digits: plain } : { problem: wrongLength(MIN_DIGITS, MAX_DIGITS) };
}
