import fc from 'fast-check';
import { decisionOf, wordOf } from './consent-words.js';

const WORDS = { stop: ['STOP', 'UNSUBSCRIBE', 'OPT OUT'], start: ['START'] };

describe('the words that opt in and out', () => {
  it.each([
    'STOP',
    ' stop ',
    'Stop.',
    'stop!',
    '„Stop“',
    '(STOP)',
    '¡stop!',
    'STOP\u200b',
    '\u202astop\u202c',
    'ST\u00adOP',
    'ＳＴＯＰ',
    '🛑 Stop 🛑',
    'Stop👍🏽',
    '1️⃣ stop',
    'stop\n\n',
    'opt-out',
    'OPT–OUT',
    'Opt  Out',
    'opt\tout',
    'OPT\u00a0OUT',
    'unsubscribe…',
    'Stop promotions',
  ])('opt out by %j', (text) => {
    expect(decisionOf([text], WORDS)).toBe(false);
  });

  it.each([
    'please stop',
    'STOP this noise, I need help with my order',
    'stopp',
    'OPTOUT',
    'non stop',
    'S.T.O.P',
    '',
    '!!!',
    '🛑',
  ])('are not %j', (text) => {
    expect(decisionOf([text], WORDS)).toBeNull();
  });

  it('opt in by START', () => {
    expect(decisionOf(['start!'], WORDS)).toBe(true);
  });

  it('opt out when a button says both', () => {
    expect(decisionOf(['start', 'STOP'], WORDS)).toBe(false);
  });

  it('are those of the organisation, and always the network’s own label', () => {
    const own = { stop: ['Schluß'], start: [] };
    expect(decisionOf(['STOP'], own)).toBeNull();
    expect(decisionOf(['SCHLUSS!'], own)).toBe(false);
    expect(decisionOf(['stop promotions'], own)).toBe(false);
  });

  it('are found whatever surrounds them and however they are written', () => {
    const around = fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', '.', '!', '"', '🛑', '👍🏽', '\u200b', '\u202a', '-', '…'),
    });
    fc.assert(
      fc.property(around, around, fc.constantFrom('stop', 'STOP', 'sToP', 'Ｓtop'), (before, after, word) => {
        expect(wordOf(before + word + after)).toBe('stop');
      }),
    );
  });

  it('are not in texts longer than any message', () => {
    expect(wordOf(`stop${'!'.repeat(9_000)}`)).toBe('stop');
    expect(wordOf(`stop${'!'.repeat(10_000)}`)).toBeNull();
  });
});
