import { charsetOf, textOf } from './body-text.js';

const bytes = (...codes: number[]): Buffer => Buffer.from(codes);
const LATIN_1 = Buffer.from('Ungültige Größe', 'latin1');

describe('the text of a body', () => {
  it.each([
    ['text/plain; charset=iso-8859-1', LATIN_1, 'Ungültige Größe'],
    ['text/plain;charset="ISO-8859-1"', LATIN_1, 'Ungültige Größe'],
    ["text/html; Charset = 'latin1' ; x=y", LATIN_1, 'Ungültige Größe'],
    ['text/plain; charset=us-ascii', bytes(0x80, 0x92), '€’'],
    ['text/plain; charset=windows-1251', bytes(0xcf, 0xf0), 'Пр'],
    ['application/json; charset=shift_jis', bytes(0x83, 0x65), 'テ'],
    ['text/plain; charset=CP949', bytes(0xb0, 0xa1), '가'],
    ['text/plain; charset=cp932', bytes(0x83, 0x65), 'テ'],
    ['text/plain; charset=gb18030', bytes(0xc4, 0xe3), '你'],
    ['text/plain; charset=utf-16', Buffer.from('hé', 'utf16le'), 'hé'],
    ['text/plain; charset=utf-16be', Buffer.from('hé', 'utf16le').swap16(), 'hé'],
  ])('is read by its charset: %s', (contentType, body, text) => {
    expect(textOf(body, contentType)).toBe(text);
  });

  const NO_KNOWN_CHARSET = [
    undefined,
    'application/json',
    'text/plain; charset=',
    'text/plain; charset=unknown',
    'text/plain; charset=latin-1',
    'text/plain; charset=windows1252',
    'text/plain; charset=ANSI',
    'text/plain; charset=x-user-defined',
    'text/plain; charset=iso-2022-kr',
    'text/plain; notcharset=latin1',
    'charset=latin1',
  ];

  it.each([...NO_KNOWN_CHARSET, 'text/plain; charset=utf-8'])('is UTF-8 otherwise: %s', (contentType) => {
    expect(textOf(Buffer.from('Größe €'), contentType)).toBe('Größe €');
  });

  it.each(NO_KNOWN_CHARSET)('is Windows-1252 where it is not UTF-8 and no charset says so: %s', (contentType) => {
    expect(textOf(LATIN_1, contentType)).toBe('Ungültige Größe');
    expect(textOf(bytes(0x80, 0x20, 0x92), contentType)).toBe('€ ’');
  });

  it('has U+FFFD where it is not in the charset that its header names', () => {
    expect(textOf(LATIN_1, 'text/plain; charset=utf-8')).toBe('Ung\ufffdltige Gr\ufffd\ufffde');
  });

  it('stays in the charset that its header names even if it is also UTF-8', () => {
    expect(textOf(Buffer.from('ö'), 'text/plain; charset=iso-8859-1')).toBe('Ã¶');
  });

  it.each([
    ['UTF-8', Buffer.from('\ufeffGröße')],
    ['UTF-16', Buffer.from('\ufeffGröße', 'utf16le')],
    ['UTF-16, the other way round', Buffer.from('\ufeffGröße', 'utf16le').swap16()],
  ])('is read by its byte order mark whatever the header says: %s', (_, body) => {
    for (const contentType of [undefined, 'text/plain; charset=iso-8859-1', 'text/plain; charset=utf-16']) {
      expect(textOf(body, contentType)).toBe('Größe');
    }
  });

  it('lacks a character that is cut off', () => {
    expect(textOf(Buffer.from('Grö').subarray(0, 3), undefined)).toBe('Gr');
    expect(textOf(bytes(0x83), 'text/plain; charset=shift_jis')).toBe('');
    expect(textOf(Buffer.from('hé', 'utf16le').subarray(0, 3), 'text/plain; charset=utf-16le')).toBe('h');
    expect(textOf(bytes(), 'text/plain; charset=utf-16le')).toBe('');
  });

  it.each(['ö', '€', '😀'])('is UTF-8 wherever %s is cut', (character) => {
    const body = Buffer.from(`Größe ${character}`);
    for (let cut = 1; cut < Buffer.byteLength(character); cut += 1) {
      expect(textOf(body.subarray(0, -cut), 'text/plain')).toBe('Größe ');
    }
  });
});

describe('the charset of a Content-Type', () => {
  it.each([
    ['text/html; charset=utf-8', 'utf-8'],
    ['text/html; a=b; CHARSET="x y"', 'x'],
    ['text/html', undefined],
    [undefined, undefined],
  ])('is found: %s', (contentType, charset) => {
    expect(charsetOf(contentType)).toBe(charset);
  });
});
