/** The language of numbers; by default that of the browser. */
type Locale = string | undefined;

/** “9,640” */
export const count = (value: number, locale?: Locale): string => new Intl.NumberFormat(locale).format(value);

/** A number with a fraction at most: “19.8”, “78”. */
export const decimal = (value: number, locale?: Locale): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);

/**
 * The share of a part: “64.5 %”. Never 0 % of what there is, nor 100 % of what is not whole; “0 %” of nothing.
 */
export function percent(part: number, whole: number, locale?: Locale): string {
  const share = whole > 0 ? part / whole : 0;
  const shown = Math.round(share * 1000) / 1000;
  const honest = shown === 0 && part > 0 ? 0.001 : shown === 1 && part < whole ? 0.999 : shown;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(honest);
}
