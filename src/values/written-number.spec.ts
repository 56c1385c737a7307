import { readNumber } from './written-number.js';

const read = (written: string, country?: Parameters<typeof readNumber>[1]) => readNumber(written, country).number;

describe('a number as people write it', () => {
  it.each([
    ['+49 151 1234-5678', '4915112345678'],
    ['0049.151.12345678', '4915112345678'],
    ['00 49 (151) 123/45678', '4915112345678'],
    ['+49 30/1234/5678', '493012345678'],
    ['(+49 151 12345678)', '4915112345678'],
    ['(+49) 151 12345678', '4915112345678'],
    ['[+49 (151) 12345678]', '4915112345678'],
    ['+[49 (151) (12345678)] ()', '4915112345678'],
    ['(+49 (0) 151 12345678)', '4915112345678'],
    ['tel:+49-151-12345678', '4915112345678'],
    ['TEL: 4915112345678', '4915112345678'],
    ["'4915112345678", '4915112345678'],
    ["' +49 151 12345678", '4915112345678'],
    ['’+4915112345678', '4915112345678'],
    ['+1 (202) 555‑0123', '12025550123'],
    [' [1] 202 555 0123 ', '12025550123'],
    ['\u00a0+49\u202f151\u200712345678\u3000', '4915112345678'],
    ['+49−151–1234—5678', '4915112345678'],
    ['+33.1.23.45.67.00', '33123456700'],
    ['+49 89 1234567-0', '498912345670'],
  ])('%j is %s', (written, stored) => {
    expect(readNumber(written)).toEqual({ number: stored, ifKnown: null });
  });

  it.each([
    ['\u202a+4915120921172\u202c'],
    ['4915120921172\u200b'],
    ['\u20664915120921172\u2069'],
    ['\u200e+49 1512\u200f 0921172'],
    ['\ufeff4915120921172\ufe0f'],
    ['+49\u00ad1512\u20600921172'],
  ])('%j is read without the marks that nobody sees', (written) => {
    expect(read(written)).toBe('4915120921172');
  });

  it.each([
    ['+44 (0)20 7946 0364', '442079460364'],
    ['0044 (0) 20 7946 0364', '442079460364'],
    ['44(0)2079460364', '442079460364'],
    ['(+44) [0] 20 7946 0364', '442079460364'],
    ['+49 (0) 1512 0921176', '4915120921176'],
    ['+49（０）1512 0921176', '4915120921176'],
    // In Italy and San Marino the zero belongs to the number.
    ['+39 02 1234567', '39021234567'],
    ['+39 (0)2 1234567', '39021234567'],
    ['+39 (02) 1234567', '39021234567'],
  ])('%j is %s', (written, stored) => {
    expect(readNumber(written)).toEqual({ number: stored, ifKnown: null });
    expect(read(written, 'DE')).toBe(stored);
  });

  it.each([
    // Without a trunk prefix, or with one other than 0.
    '+1 (0) 202 555 0123',
    '+34 (0) 612 345 678',
    '+352 (0) 621 123 456',
  ])('%j has a zero that is neither a trunk prefix nor part of a number', (written) => {
    expect(readNumber(written)).toEqual({ number: null, ifKnown: null });
  });

  it.each([['+٤٩١٥١٢٠٩٢١١٧٦'], ['+۴۹۱۵۱۲۰۹۲۱۱۷۶'], ['＋４９　１５１２　０９２１１７６']])(
    '%j has other digits',
    (written) => {
      expect(read(written)).toBe('4915120921176');
    },
  );

  it.each([
    '',
    '+',
    'tel:',
    'ada@example.test',
    '++4915112345678',
    '+0049 151 12345678',
    '49+15112345678',
    '1-800-FLOWERS',
    '+49 151 12345678 ext. 5',
    '+49 151 12345678 x5',
    '+49 151 12345678 #5',
    'tel:+4915112345678;ext=5',
    '+49 151 12345678, +49 151 12345679',
    '+49 151 12345678 / +49 151 12345679',
    '4915112345678\n4915112345679',
    '+49 151 12345678 (Ada)',
    '4.915E+12',
    '4,91512E+12',
    '4915112345678.0',
    '+4915112345678.00',
    '4,915,112,345,678',
    '+4²915112345678',
    '4915112345678\u0000',
    '0151 12345678',
    '+49 30 123456-78/79',
    '+49 30 123456-0 / 9',
    '+49 30 123456／１２３',
    '+49 (1512) 0940034 (2)',
    '+49 1512 0940034 [2]',
    '+49 1512 0940034（２）',
    '+٤٩ ١٥١٢ ٠٩٤٠٠٣٤ (٢)',
    '+49 1512 0940034 ((2) 3)',
    '(+49 1512 0940034 (2))',
    '( [+49 30 123456-78/79 ])',
    '+49 151 (12345678)',
  ])('finds none in %j', (written) => {
    expect(readNumber(written)).toEqual({ number: null, ifKnown: null });
  });

  it.each([
    ['+999 123 4567', '9991234567'],
    // libphonenumber drops the zero.
    ['+49 0151 12345678', '49015112345678'],
    ['49 (0151) 12345678', '49015112345678'],
    ['1 1 202 555 0123', '112025550123'],
  ])('finds none in %j, but digits that a contact may have', (written, digits) => {
    expect(readNumber(written)).toEqual({ number: null, ifKnown: digits });
  });

  it.each([
    '525512345678',
    '5215512345678',
    '541123456789',
    '5491123456789',
    '551187654321',
    '5511987654321',
    '551130654321',
    '22997123456',
    '2290197123456',
    '22507123456',
    '2250707123456',
  ])('%s is how WhatsApp or its owner spells it', (number) => {
    expect(read(number)).toBe(number);
    expect(read(`+${number}`)).toBe(number);
    expect(read(`+${number.slice(0, 3)} ${number.slice(3)}`, 'DE')).toBe(number);
  });
});

describe('a number as dialled in a country', () => {
  it.each([
    ['0171 2345678', 'DE', '491712345678'],
    ['171 2345678', 'DE', '491712345678'],
    ["'0171/2345678", 'DE', '491712345678'],
    ['(0171) 2345678', 'DE', '491712345678'],
    ['(0) 171 2345678', 'DE', '491712345678'],
    ['tel:0171-2345678', 'DE', '491712345678'],
    ['(020) 7946 0364', 'GB', '442079460364'],
    ['06 30 123 4567', 'HU', '36301234567'],
    ['8 912 345-67-89', 'RU', '79123456789'],
    ['(202) 555-0123', 'US', '12025550123'],
    ['1 202 555 0123', 'US', '12025550123'],
    ['02 1234567', 'IT', '39021234567'],
    ['391 234 5678', 'IT', '393912345678'],
    ['01.23.45.67.00', 'FR', '33123456700'],
    ['011 15-2345-6789', 'AR', '5491123456789'],
    ['0 15 11 98765-4321', 'BR', '5511987654321'],
    ['11 8765-4321', 'BR', '551187654321'],
    ['55 12345678', 'MX', '525512345678'],
    ['97 12 34 56', 'BJ', '22997123456'],
    ['07 12 34 56', 'CI', '22507123456'],
    ['٠١٧١٢٣٤٥٦٧٨', 'DE', '491712345678'],
  ] as const)('%j in %s is %s', (written, country, stored) => {
    expect(read(written, country)).toBe(stored);
  });

  it.each([
    ['+1 202 555 0123', '12025550123'],
    ['001 202 555 0123', '12025550123'],
    ['+49 171 2345678', '491712345678'],
  ])('is international with + or 00: %j', (written, stored) => {
    for (const country of ['DE', 'US', 'IT'] as const) {
      expect(readNumber(written, country)).toEqual({ number: stored, ifKnown: null });
    }
  });

  it.each([
    ['its own code before a valid number', '4915120921176', 'DE'],
    ['its own code before a valid number', '393912345678', 'IT'],
    ['its own code, as WhatsApp spells numbers', '5215512345678', 'MX'],
    ['mobile phones of others, but landlines of its own', '447400123456', 'DE'],
    ['mobile phones of others, but landlines of its own', '5215512345678', 'DE'],
    ['no numbers of its own', '4915120921176', 'US'],
  ] as const)('is international if digits are %s: %s in %s', (_, digits, country) => {
    expect(readNumber(digits, country)).toEqual({ number: digits, ifKnown: null });
  });

  it.each([
    // Zeros that a spreadsheet has dropped; both are mobile phones.
    ['15123456789', 'DE', '4915123456789'],
    // Both are landlines, or nobody's.
    ['39021234567', 'DE', '4939021234567'],
    ['5551230001', 'US', '15551230001'],
  ] as const)('is national if both are as likely: %s in %s', (digits, country, stored) => {
    expect(readNumber(digits, country)).toEqual({ number: stored, ifKnown: digits });
  });

  it.each([
    ['0171', 'DE'],
    ['0204', 'GB'],
    ['0171 2345678 ext 5', 'DE'],
    ['030 123456-78/79', 'DE'],
    ['0171 2345678 (2)', 'DE'],
    ['1.71E+09', 'DE'],
    ['0', 'DE'],
  ] as const)('finds none in %j', (written, country) => {
    expect(readNumber(written, country)).toEqual({ number: null, ifKnown: null });
  });
});
