import { MIN_OWN_ERROR_CODE } from '../errors/error-catalog.js';
import { CODE_MASK, CODE_VARIABLE } from '../templates/rendering/one-time-code.js';
import { fill } from '../templates/template-variables.js';

/** The variable of the code, {@link CODE_VARIABLE}. */
const VARIABLE = /\{\{\s*1\s*\}\}/;

/**
 * The text of an old message with a mask in place of the one-time code. All that a template text has around its variable
 * is kept; a message that fits none of the texts becomes the bare mask, because the code might be anywhere in it.
 *
 * @param bodies the texts that the template has or had, in all languages; the one with the most text that fits is used
 */
export const maskedText = (text: string, bodies: readonly string[]): string => fitted(text, bodies).masked;

/** Stored text about a message of an AUTHENTICATION template. */
export interface CodeTexts {
  readonly content: string;
  readonly errorCode: number | null;
  readonly errorMessage: string | null;
  /** Whether an old release may have stored it, whose errors quote codes. */
  readonly isOld: boolean;
}

/**
 * The network's error with a mask in place of the code of its message; the bare mask if the code is unknown, because it
 * might be anywhere in it.
 *
 * @returns null when the error may stay as it is
 */
export function maskedError(
  { content, errorCode, errorMessage, isOld }: CodeTexts,
  bodies: readonly string[],
): string | null {
  if (errorMessage === null || errorMessage === CODE_MASK || (errorCode ?? 0) >= MIN_OWN_ERROR_CODE) return null;
  const { code } = fitted(content, bodies);
  const isMasked = code === CODE_MASK || content === CODE_MASK;
  if (isMasked && !isOld) return null;
  if (isMasked || code === null || code === '') return CODE_MASK;
  return errorMessage.includes(code) ? errorMessage.replaceAll(code, CODE_MASK) : null;
}

/** A text with its code masked, and the code; null if the text does not tell which part it is. */
function fitted(text: string, bodies: readonly string[]): { readonly masked: string; readonly code: string | null } {
  if (text === '') return { masked: text, code: null };
  let [best, most, code]: [string, number, string | null] = [CODE_MASK, 0, null];
  for (const body of bodies) {
    const [before, after, ...more] = body.split(VARIABLE);
    if (before === undefined || after === undefined || more.length > 0) continue;
    const fixed = before.length + after.length;
    const fits = text.length >= fixed && text.startsWith(before) && text.endsWith(after);
    if (!fits || fixed <= most) continue;
    best = fill(body, new Map([[CODE_VARIABLE, CODE_MASK]]));
    most = fixed;
    code = text.slice(before.length, text.length - after.length);
  }
  return { masked: best, code };
}
