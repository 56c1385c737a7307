import fc from 'fast-check';
import { edgeFault, encodeUrlSuffix, encodingFault, percentDecoded, replaceDecoded } from './url-encoding.js';

const BASE = 'https://shop.example/t/';
const RESERVED = ":/?@!$&'()*+,;=";

describe('the end of a URL', () => {
  it.each([
    ['a b', 'a%20b'],
    ['küche', 'k%C3%BCche'],
    ['"x"', '%22x%22'],
    ['100%', '100%25'],
    ['a%20b', 'a%20b'],
    ['a%2', 'a%252'],
    ['%%41', '%25%41'],
    ['?x=1&y=2', '?x=1&y=2'],
    ['#f', '#f'],
    ['#f#g', '#f%23g'],
    ['{[|]}', '%7B%5B%7C%5D%7D'],
    ['<a>\\^`', '%3Ca%3E%5C%5E%60'],
    ['👍🏽', '%F0%9F%91%8D%F0%9F%8F%BD'],
    ['a\ud83db', 'a%EF%BF%BDb'],
    ['a\r\n\tb', 'a%0D%0A%09b'],
    [`A-z0._~${RESERVED}`, `A-z0._~${RESERVED}`],
  ])('%j is sent as %s', (given, sent) => {
    expect(encodeUrlSuffix(given, BASE)).toBe(sent);
  });

  it('has no fragment of its own behind that of the beginning', () => {
    expect(encodeUrlSuffix('a#b', 'https://shop.example/#/')).toBe('a%23b');
  });

  it('can be opened, is encoded once, and is what was given to who decodes it', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, (given) => {
        const sent = encodeUrlSuffix(given, BASE);
        expect(encodingFault(BASE + sent)).toBeNull();
        expect(encodeUrlSuffix(sent, BASE)).toBe(sent);
        if (!given.includes('%')) expect(decodeURIComponent(sent)).toBe(given.toWellFormed());
      }),
    );
  });
});

describe('a whole URL', () => {
  it.each([
    ['https://shop.example/a b', '" " percent-encoded, as %20'],
    ['https://shop.example/küche', '"ü" percent-encoded, as %C3%BC'],
    ['https://shop.example/a#b#c', '"#" percent-encoded, as %23'],
    ['https://shop.example/100%', '"%" percent-encoded, as %25'],
    ['https://exa[mple', '"[" percent-encoded, as %5B'],
    ['https://[::1]/[', '"[" percent-encoded, as %5B'],
    ['https://shop.example/ü?to=https://küche.example', '"ü" percent-encoded, as %C3%BC'],
    ['https://kü@shop.example/', '"ü" percent-encoded, as %C3%BC'],
    ['https://shop.example/a\u200bb', '"\\u200b" percent-encoded, as %E2%80%8B'],
    ['https://küche.example:8080/ü', 'its host without "ü", as xn--kche-0ra.example:8080'],
    ['küche', '"ü" percent-encoded, as %C3%BC'],
    ['https://shop.example/"', '"\\"" percent-encoded, as %22'],
    ['https://shop.example/👍', '"👍" percent-encoded, as %F0%9F%91%8D'],
  ])('%s must have %s', (url, fault) => {
    expect(encodingFault(url)).toBe(`must have ${fault}`);
  });

  it.each([
    [' https://shop.example/', 'begin with " "'],
    ['https://shop.example/ \t', 'end with " \\t"'],
    ['https://shop.example/\n', 'end with "\\n"'],
    ['https://shop.example/a\u2060', 'end with "\\u2060"'],
  ])('%j must lose what stands at its end', (url, fault) => {
    expect(edgeFault(url)).toBe(`must not ${fault}: remove it`);
  });

  it.each(['https://shop.example/', 'a b', ''])('%j has nothing at its ends', (url) => {
    expect(edgeFault(url)).toBeNull();
  });

  it.each([
    'https://[::1]/',
    'https://[2001:DB8:0::1]:8443/a',
    'https://user@shop.example:8080/a;b=c?d=%5B',
    'https://shop.example/k%C3%BCche#f',
    '',
  ])('%j is encoded', (url) => {
    expect(encodingFault(url)).toBeNull();
  });
});

describe('a text without percent-encoding', () => {
  it('has every character that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(percentDecoded(encodeURIComponent(text))).toBe(text.replaceAll('\0', '%00'));
      }),
    );
  });

  it('has what encodes no character as it was', () => {
    const bytes = fc.array(fc.constantFrom(0, 0x20, 0x80, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xf5));
    fc.assert(
      fc.property(bytes, (drawn) => {
        const encoded = drawn.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const expected = new TextDecoder().decode(Uint8Array.from(drawn)).replace(/[\0\ufffd]/g, '');
        expect(percentDecoded(encoded).replace(/%[0-9a-f]{2}/g, '')).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a%62c', '[a][%62][c]'],
    ['x%C3%BC🔑%F0%9F%94%91', 'x[%C3%BC]🔑%F0%9F%94%91'],
    ['%00%zz%', '%00%zz%'],
  ])('has its letters replaced in %j, and the rest stays as it was', (text, expected) => {
    const bracketed = replaceDecoded(text, /[a-cü]/g, (characters) => `[${characters.join('')}]`);
    expect(bracketed).toBe(expected);
  });

  it('has its finds as they were written', () => {
    const PIECES = ['a', 'ü', '🔑', '\udd11', '%', '%4', '%61', '%c3%bc', '%C3', '%F0%9F%94%91', '%00', '%E2%80%93'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES)), (pieces) => {
        const text = pieces.join('');
        const found: string[] = [];
        const same = replaceDecoded(text, /[^%]+/g, (characters) => {
          found.push(percentDecoded(characters.join('')));
          return characters.join('');
        });
        expect(same).toBe(text);
        expect(found).toEqual(percentDecoded(text).match(/[^%]+/g) ?? []);
      }),
      { numRuns: 1000 },
    );
  });
});
