/** The words with which contacts opt out and in. */
export interface ConsentWords {
  readonly stop: readonly string[];
  readonly start: readonly string[];
}

/** Labels of the network's own opt-out buttons. They count for every organisation, whatever its own words are. */
const NETWORK_STOP_LABELS = ['Stop promotions'];

/** UTF-16 code units; the network allows texts of 4,096 characters, so a longer one is not a word. */
const MAX_TEXT = 10_000;

/** Keycap emoji such as 1️⃣, which would leave their digit behind. */
const KEYCAP = /[0-9#*]\uFE0F?\u20E3/gu;
/** Direction marks, joiners, fillers, variation selectors and other characters that nobody sees. */
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Runs of blanks and dashes: people write OPT OUT and opt-out. Line breaks are blanks, so they must not be removed. The
 * blank of Braille counts, which is a symbol.
 */
const BLANKS = /[\p{Z}\p{Pd}\u2800\t-\r]+/gu;
/** What may surround a word: punctuation, blanks, symbols, emoji with their skin tones and flags. */
const SURROUNDING = /^[\p{P}\p{S}\p{Z}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]$/u;

/**
 * The form in which texts and words are compared: without case, invisible characters, surrounding punctuation, blanks
 * and emoji; `-` reads as a blank. Linear in the length of the text.
 *
 * @returns null when nothing is left, or the text is longer than any word
 */
export function wordOf(text: string): string | null {
  if (text.length > MAX_TEXT) return null;
  const plain = text.normalize('NFKC').replace(BLANKS, ' ').replace(KEYCAP, ' ').replace(INVISIBLE, '');
  // Upper case first, so that letters which differ only in lower case, such as ß and ss, become the same.
  const characters = [...plain.toUpperCase().toLowerCase()];
  let [from, to] = [0, characters.length];
  while (from < to && SURROUNDING.test(characters[from] ?? '')) from += 1;
  while (to > from && SURROUNDING.test(characters[to - 1] ?? '')) to -= 1;
  const word = characters.slice(from, to).join('').replace(/ +/g, ' ');
  return word === '' ? null : word;
}

/**
 * Whether what a contact typed or tapped opts them in or out.
 *
 * @param said the typed text; of a tap, its label, payload, id and title
 * @returns null when it does neither
 */
export function decisionOf(said: readonly string[], words: ConsentWords): boolean | null {
  const spoken = new Set(said.map(wordOf));
  const matches = (word: string): boolean => {
    const compared = wordOf(word);
    return compared !== null && spoken.has(compared);
  };
  if ([...NETWORK_STOP_LABELS, ...words.stop].some(matches)) return false;
  return words.start.some(matches) ? true : null;
}
