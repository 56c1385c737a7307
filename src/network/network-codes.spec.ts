import { classOf, explainCode, NETWORK_CODES, plainWords, stoppedBy } from './network-codes.js';

describe('the class of a network error', () => {
  it.each([
    [{ code: 100, subcode: 33 }, 'stop_phone'],
    [{ code: 100, subcode: 2388299 }, 'request'],
    [{ code: 131042, isTransient: true }, 'retry'],
    [{ code: 999_999, isTransient: true }, 'retry'],
    [{ code: 200 }, 'stop_phone'],
    [{ code: 299 }, 'stop_phone'],
    [{ code: 300 }, 'unknown'],
    [{ code: 133004 }, 'retry'],
    [{ code: 133000 }, 'stop_phone'],
    [{ code: 133016 }, 'stop_phone'],
    [{ code: 131200 }, 'request'],
    [{ code: 138006 }, 'request'],
    [{ code: 2388024 }, 'request'],
    [{ code: 136025 }, 'unknown'],
  ] as const)('of %j is %s', (error, kind) => {
    expect(classOf(error)).toBe(kind);
  });

  it('is given once for each code, and every code has plain words', () => {
    const codes = Object.values(NETWORK_CODES).flat();
    expect(new Set(codes).size).toBe(codes.length);
    const wordless = codes.filter((code) => plainWords({ code, message: '' }).startsWith('the network refused'));
    expect(wordless).toEqual([]);
  });

  it('comes with a title and advice for every code, also one that nobody documents', () => {
    for (const code of [...Object.values(NETWORK_CODES).flat(), 200, 131_200, 999_999]) {
      const { title, advice } = explainCode(code);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(advice).toMatch(/^[A-Z].*\.$/);
    }
    expect(explainCode(131049).title).toBe(
      'The network limits how many marketing messages this recipient gets: do not try again for 24 hours',
    );
    expect(explainCode(999_999)).toEqual({
      title: 'The network refused the message (999999)',
      advice: 'Look up the code at the network. `retry-failed` sends to these recipients again.',
    });
  });

  it('says what is stopped', () => {
    expect(
      ['stop_phone', 'stop_template', 'stop_category', 'retry', 'unknown'].map((kind) => stoppedBy(kind as never)),
    ).toEqual(['phone', 'template', 'category', null, null]);
  });
});
