import { quoted, visible } from './shown-text.js';

describe('a text in a message', () => {
  it.each([
    ['a\u200bb\u2060c\ufeff', 'a\\u200bb\\u2060c\\ufeff'],
    ['\u200eabc\u202e\u2066', '\\u200eabc\\u202e\\u2066'],
    ['a\nb\r\tc\u0007\u007f\u0085', 'a\\nb\\r\\tc\\u0007\\u007f\\u0085'],
    ['\u00a0\u00a0a\u00a0b\u3000', '\\u00a0\\u00a0a\u00a0b\\u3000'],
    ['a\u200d', 'a\\u200d'],
    ['co\u00adop\u2028', 'co\\u00adop\\u2028'],
    ['\ud83d', '\\ud83d'],
  ])('shows what is invisible: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([' a b ', 'küche', '👩‍👩‍👧', 'می\u200cخواهم', 'a\\b', '"x"'])('shows the rest as it is: %j', (text) => {
    expect(visible(text)).toBe(text);
  });

  it.each([
    ['', '""'],
    [' ', '" "'],
    ['\u00a0', '"\\u00a0"'],
    ['a"b\n', '"a\\"b\\n"'],
    ['\u200b', '"\\u200b"'],
  ])('is quoted so that a reader sees it: %j', (text, shown) => {
    expect(quoted(text)).toBe(shown);
  });
});
