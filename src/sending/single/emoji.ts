const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A picture, a flag, or a key with a digit. */
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|^[0-9#*]\uFE0F?\u20E3$/u;
/** UTF-16 units of an emoji; families with skin tones have the most. */
const MAX_UNITS = 64;

/** Whether a text is one emoji, also one that is newer than this program. */
export const isOneEmoji = (text: string): boolean =>
  text.length <= MAX_UNITS && [...GRAPHEMES.segment(text)].length === 1 && PICTURE.test(text);
