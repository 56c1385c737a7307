import { isOneEmoji } from './emoji.js';

describe('isOneEmoji', () => {
  it.each(['👍', '❤', '❤️', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])('is true for %s', (text) => {
    expect(isOneEmoji(text)).toBe(true);
  });

  it.each(['', ' ', 'a', '1', '👍👍', '👍a', '🇩', `👍${'‍👍'.repeat(40)}`])('is false for %j', (text) => {
    expect(isOneEmoji(text)).toBe(false);
  });
});
