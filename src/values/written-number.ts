import { type Country, callingCodeOf, planOf } from './numbering-plans.js';
import { isPhoneNumber, type PhoneNumber } from './phone-number.js';
import { isPossibleNumber, LIKELIHOOD, likelihoodOf, readNational, readTrunk } from './possible-number.js';

/** What a text says about a number. */
export interface NumberReading {
  /** The number in the stored form; null when libphonenumber finds none in the text, or not in all of it. */
  readonly number: PhoneNumber | null;
  /**
   * The digits as given, when they are not `number` but could be one in the stored form. They count before `number` if
   * a contact of the account has them: the network and older files name people by numbers that no plan knows.
   */
  readonly ifKnown: PhoneNumber | null;
}

const NOTHING: NumberReading = { number: null, ifKnown: null };

/** Characters that nobody sees: direction marks, joiners, byte order marks, variation selectors. */
const UNSEEN = /[\p{Cf}\p{Variation_Selector}]/gu;
const ASCII = /^[ -~]*$/;
/** A spreadsheet's mark for text, and what word processors make of it. */
const TEXT_MARK = /^['\u2018\u2019\u02bc\uff07]+/;
const SCHEME = /^tel:/i;
/** Blanks, dashes, dots, slashes and brackets, as far as libphonenumber takes them for separators. */
const SEPARATORS = /[\p{Zs}\t\-\u2010-\u2015\u2212\u30fc\uff0d.\uff0e/\uff0f()\uff08\uff09[\]\uff3b\uff3d]/gu;
const MORE_DIGITS = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;
/** A decimal place that a spreadsheet wrote. */
const DECIMAL = /[.\uff0e]0$|^[+\uff0b]?[0-9]+[.\uff0e]0+$/;
/** The end of a range of extensions, as a letterhead has it: 123456-78/79. */
const RANGE_END = /[/\uff0f][\p{Zs}\t]*[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]{1,3}$/u;
const DIGIT = /[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/;
const CLOSING = /[)\uff09\]\uff3d]$/;
const OPENING: ReadonlySet<string> = new Set(['(', '\uff08', '[', '\uff3b']);
/** The trunk zero as it is written behind a country code. */
const TRUNK = /[(\uff08[\uff3b][\p{Zs}\t]*[0\uff10][\p{Zs}\t]*[)\uff09\]\uff3d]/u;
const DIGITS = /^([+\uff0b]?)([0-9]{1,20})$/;
/** The text of nearly all numbers in files. */
const PLAIN = /^\+?[1-9][0-9]{6,14}$/;

/**
 * Reads a number as people write it: with `+`, `00` or `tel:`, blanks, dashes, dots, slashes and brackets, the trunk
 * zero as `(0)`, a leading apostrophe, and marks that nobody sees. What libphonenumber understands by the rest counts,
 * and the spellings of the network. A text of which anything else had to be dropped is not a number, nor is one with more
 * digits behind the number, which would make it longer.
 *
 * Digits without `+` or `00` are international. With a country they may be national too: what is more likely there
 * counts, and a national number if both are as likely; but digits that start with the country's own code and go on with a
 * valid number of it are international.
 *
 * @param country where numbers without `+` or `00` may be dialled
 */
export function readNumber(text: string, country: Country | null = null): NumberReading {
  if (country === null && PLAIN.test(text)) return international(text.startsWith('+') ? text.slice(1) : text);
  const seen = ASCII.test(text) ? text : text.replace(UNSEEN, '');
  const written = seen.trim().replace(TEXT_MARK, '').trim().replace(SCHEME, '');
  if (DECIMAL.test(written) || hasAppendix(written)) return NOTHING;
  const [, plus, digits] = DIGITS.exec(digitsOf(written)) ?? [];
  if (digits === undefined) return NOTHING;
  const full = plus === '' && digits.startsWith('00') ? digits.slice(2) : digits;
  const code = codeBeforeTrunk(written);
  if (code !== null) return { number: withoutTrunk(full, code), ifKnown: null };
  return country === null || plus !== '' || full !== digits ? international(full) : inCountry(digits, country);
}

/** Whether there are more digits behind the number: those of other extensions, or some in brackets. */
function hasAppendix(written: string): boolean {
  if (RANGE_END.test(written)) return true;
  if (!CLOSING.test(written)) return false;
  const at = openingOfLast(written);
  if (at === -1) return false;
  const within = written.slice(at + 1, -1).trim();
  return DIGIT.test(written.slice(0, at)) ? DIGIT.test(within) : hasAppendix(within);
}

/** Where the bracket opens that the last character closes; -1 if it does not. Brackets of any two kinds make a pair. */
function openingOfLast(written: string): number {
  let open = 0;
  for (let at = written.length - 1; at >= 0; at -= 1) {
    const character = written.charAt(at);
    if (CLOSING.test(character)) open += 1;
    else if (OPENING.has(character) && --open === 0) return at;
  }
  return -1;
}

const digitsOf = (written: string): string => written.replace(SEPARATORS, '').replace(MORE_DIGITS, plainDigit);

/** Full-width and Arabic digits in ASCII. */
const plainDigit = (digit: string): string => String(digit.charCodeAt(0) & 0xf);

/** The country code right in front of a trunk zero in brackets. */
function codeBeforeTrunk(written: string): string | null {
  const at = written.search(TRUNK);
  if (at < 1) return null;
  const front = digitsOf(written.slice(0, at)).replace(/^(?:[+\uff0b]|00)/, '');
  return callingCodeOf(front)?.code === front ? front : null;
}

function withoutTrunk(digits: string, code: string): PhoneNumber | null {
  const read = readTrunk(digits, code + digits.slice(code.length + 1));
  return isPhoneNumber(read) ? read : null;
}

function international(digits: string): NumberReading {
  if (!isPhoneNumber(digits)) return NOTHING;
  return isPossibleNumber(digits) ? { number: digits, ifKnown: null } : { number: null, ifKnown: digits };
}

function inCountry(digits: string, country: Country): NumberReading {
  const asGiven = isPhoneNumber(digits) ? digits : null;
  const likelihood = asGiven === null ? LIKELIHOOD.impossible : likelihoodOf(asGiven);
  if (likelihood >= LIKELIHOOD.valid && digits.startsWith(planOf(country).callingCode)) {
    return { number: asGiven, ifKnown: null };
  }
  const national = readNational(digits, country);
  const nationalLikelihood = isPhoneNumber(national) ? likelihoodOf(national) : LIKELIHOOD.impossible;
  if (likelihood > nationalLikelihood) return { number: asGiven, ifKnown: null };
  if (nationalLikelihood === LIKELIHOOD.impossible) return { number: null, ifKnown: asGiven };
  return { number: national, ifKnown: national === asGiven ? null : asGiven };
}
