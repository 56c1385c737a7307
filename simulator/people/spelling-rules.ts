/** Rewrites a dialled number as the network spells it; other numbers stay as they are. */
type SpellingRule = (number: string) => string;

/** In Brazil, mobile numbers of the area codes from here on were registered without the ninth digit. */
const FIRST_SHORT_AREA = 31;

function brazil(number: string): string {
  const mobile = /^55(\d{2})9?([6-9]\d{7})$/.exec(number);
  if (!mobile) return number;
  const [, area = '', subscriber = ''] = mobile;
  return Number(area) >= FIRST_SHORT_AREA ? `55${area}${subscriber}` : `55${area}9${subscriber}`;
}

/** The countries whose numbers the network rewrites, by their ISO 3166 codes. */
export const SPELLING_RULES = {
  BR: brazil,
  MX: (number) => number.replace(/^52(?=\d{10}$)/, '521'),
  AR: (number) => number.replace(/^54(?=\d{10}$)/, '549'),
} as const satisfies Record<string, SpellingRule>;

export type SpelledCountry = keyof typeof SPELLING_RULES;

/** The number as the network spells it, by the rules of the given countries. */
export const spelledBy = (countries: readonly SpelledCountry[], number: string): string =>
  countries.reduce((spelled, country) => SPELLING_RULES[country](spelled), number);
