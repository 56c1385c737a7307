/** Country codes by their length: one digit, two digits, else three. */
const NUMBER = /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;
/** Digits between blanks; the last group may have one more. */
const GROUPS = /\d{3}(?=\d{2})|\d+/g;

/** A number as one can read it aloud: “+49 151 234 567 89”. What is no number stays as it is. */
export function readableNumber(digits: string): string {
  const [, country, rest] = NUMBER.exec(digits) ?? [];
  return country === undefined || rest === undefined ? digits : `+${country} ${rest.match(GROUPS)?.join(' ')}`;
}
