import fc from 'fast-check';
import { nameInDisposition } from './content-disposition.js';

/** A header as it arrives: its bytes as Latin-1. */
const sent = (text: string): string => Buffer.from(text).toString('latin1');

describe('the name in Content-Disposition', () => {
  it.each([
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['ATTACHMENT ; FileName = "report.pdf" ; size=5', 'report.pdf'],
    ['attachment;filename=report.pdf;', 'report.pdf'],
    ['inline; x=1; filename="Jan; Feb.pdf"; y="2"', 'Jan; Feb.pdf'],
    ['inline; x="; filename=wrong.pdf"; filename=right.pdf', 'right.pdf'],
    [String.raw`attachment; filename="say \"hi\".pdf"`, 'say "hi".pdf'],
    [String.raw`attachment; filename="f\oo.pdf"`, 'foo.pdf'],
    [String.raw`attachment; filename="a\\b.pdf"`, 'b.pdf'],
    [String.raw`attachment; filename="C:\files\b.pdf"`, 'b.pdf'],
    [String.raw`attachment; filename="\\server\files\b.pdf"`, 'b.pdf'],
    [String.raw`attachment; filename="..\..\b.pdf"`, 'b.pdf'],
    ['attachment; filename=My file.pdf', 'My file.pdf'],
    ['attachment; filename="first.pdf"; filename="second.pdf"', 'first.pdf'],
    ['attachment; filename=""; filename="second.pdf"', 'second.pdf'],
    ['filename="report.pdf"', 'report.pdf'],
    ['attachment filename=report.pdf', 'report.pdf'],
    ['inline, attachment; filename=report.pdf', 'report.pdf'],
    ['attachment; filename="report.pdf', 'report.pdf'],
    ['attachment; filename="report.pdf; size=5', 'report.pdf'],
    ['attachment; filename="/etc/passwd"', 'passwd'],
    ['attachment; filename="a\u0000b\u007f.pdf"', 'ab.pdf'],
    [sent('attachment; filename="gpj.\u202efdp"'), 'gpj.fdp'],
  ])('of %s is %s', (header, name) => {
    expect(nameInDisposition(header)).toBe(name);
  });

  it.each([
    ["attachment; filename*=UTF-8''M%C3%A4rz.pdf", 'März.pdf'],
    ["attachment; filename*=utf-8'de'M%c3%a4rz%20%e2%82%ac.pdf", 'März €.pdf'],
    ["attachment; filename*=ISO-8859-1''M%E4rz.pdf", 'März.pdf'],
    ["attachment; filename*=ISO-8859-1''%80%205.pdf", '€ 5.pdf'],
    ["attachment; filename*=UTF-8''M%C3; filename=Maerz.pdf", 'Maerz.pdf'],
    ["attachment; filename*=windows-1251''%CF%F0.pdf", 'Пр.pdf'],
    ['attachment; filename*="UTF-8\'\'M%C3%A4rz.pdf"', 'März.pdf'],
    ["attachment; filename=Maerz.pdf; filename*=UTF-8''M%C3%A4rz.pdf", 'März.pdf'],
    ["attachment; filename*=UTF-8''M%C3%A4rz.pdf; filename=Maerz.pdf", 'März.pdf'],
    ["attachment; filename*=UTF-8''100%%20sure.pdf", '100% sure.pdf'],
    [sent("attachment; filename*=UTF-8''März.pdf"), 'März.pdf'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    // What cannot be read leaves the plain name.
    ["attachment; filename*=UTF-8''M%E4rz.pdf; filename=Maerz.pdf", 'Maerz.pdf'],
    ["attachment; filename*=nonsense''M%E4rz.pdf; filename=Maerz.pdf", 'Maerz.pdf'],
    ["attachment; filename*=M%C3%A4rz.pdf; filename='Maerz.pdf'", "'Maerz.pdf'"],
    ["attachment; filename*=UTF-8''; filename=Maerz.pdf", 'Maerz.pdf'],
  ])('is preferred with a charset: %s', (header, name) => {
    expect(nameInDisposition(header)).toBe(name);
  });

  it.each([
    [sent('attachment; filename="März €.pdf"'), 'März €.pdf'],
    [sent('attachment; filename=März.pdf'), 'März.pdf'],
    [sent('attachment; filename=voilà ; size=5'), 'voilà'],
    ['attachment; filename="M\xe4rz.pdf"', 'März.pdf'],
    ['attachment; filename="\x80 5.pdf"', '€ 5.pdf'],
    ['attachment; filename="März €.pdf"', 'März €.pdf'],
    [sent('attachment; filename="10 Ã à.pdf"'), '10 Ã à.pdf'],
  ])('is read by its bytes: %j', (header, name) => {
    expect(nameInDisposition(header)).toBe(name);
  });

  it.each([
    ['attachment; filename="Summer%20sale%20%E2%82%AC.pdf"', 'Summer sale €.pdf'],
    ['attachment; filename=M%C3%A4rz.pdf', 'März.pdf'],
    ['attachment; filename="%2E%2E%2Fetc%2Fpasswd"', 'passwd'],
    ['attachment; filename="100% sure.pdf"', '100% sure.pdf'],
    ['attachment; filename="100%.pdf"', '100%.pdf'],
    ['attachment; filename="M%E4rz.pdf"', 'M%E4rz.pdf'],
  ])('may be percent-encoded: %s', (header, name) => {
    expect(nameInDisposition(header)).toBe(name);
  });

  it.each([
    ['attachment; filename="=?UTF-8?B?TcOkcnou?=pdf"', 'März.pdf'],
    ['attachment; filename="=?utf-8?b?TcOkcnoucGRm?="', 'März.pdf'],
    ['attachment; filename==?UTF-8?B?TcOkcnoucGRm?=', 'März.pdf'],
    ['attachment; filename="=?UTF-8?Q?M=C3=A4rz_2026.pdf?="', 'März 2026.pdf'],
    ['attachment; filename="=?UTF-8?Q?M=C3=A4rz 2026.pdf?="', 'März 2026.pdf'],
    ['attachment; filename="=?ISO-8859-1?Q?M=E4rz.pdf?="', 'März.pdf'],
    ['attachment; filename="=?ISO-8859-1*de?Q?M=E4rz.pdf?="', 'März.pdf'],
    ['attachment; filename="=?nonsense?Q?M=C3=A4rz.pdf?="', 'März.pdf'],
    ['attachment; filename="=?UTF-8?Q?M=C3?= =?UTF-8?Q?=A4rz.pdf?="', 'März.pdf'],
    ['attachment; filename="=?UTF-8?Q?M=C3=A4?==?ISO-8859-1?Q?=E4.pdf?="', 'Mää.pdf'],
    ['attachment; filename="=?UTF-8?Q?a?= b =?UTF-8?Q?c.pdf?="', 'a b c.pdf'],
    ['attachment; filename="=?UTF-8?Q?100%25.pdf?="', '100%25.pdf'],
    ['attachment; filename="=?UTF-8?X?abc?=.pdf"', '=?UTF-8?X?abc?=.pdf'],
    ['attachment; filename="=?UTF-8?B?Li4vLi4vcGFzc3dk?="', 'passwd'],
  ])('may be in encoded words: %s', (header, name) => {
    expect(nameInDisposition(header)).toBe(name);
  });

  it.each([
    undefined,
    '',
    'attachment',
    'attachment; xfilename=report.pdf',
    'attachment; x-filename="report.pdf"',
    'attachment; name=report.pdf',
    'attachment; filename',
    'attachment; filename=',
    'attachment; filename=""',
    'attachment; filename=".."',
    'attachment; filename="files/"',
    'attachment; x="filename=report.pdf"',
    "attachment; filename*=UTF-8''M%E4rz.pdf",
    ['attachment; filename*=report.pdf'],
  ])('is missing in %j', (header) => {
    expect(nameInDisposition(header)).toBeNull();
  });

  it('is the first of several headers', () => {
    expect(nameInDisposition(['inline', 'attachment; filename=a.pdf', 'attachment; filename=b.pdf'])).toBe('a.pdf');
  });

  it('is read back as it was written', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aé€😀"; =?*\'()%._-,') }).map((text) => `x${text}x`);
    fc.assert(
      fc.property(name, (expected) => {
        const encoded = encodeURIComponent(expected).replace(
          /['()*]/g,
          (found) => `%${found.charCodeAt(0).toString(16)}`,
        );
        expect(nameInDisposition(`attachment; filename=x; filename*=UTF-8''${encoded}`)).toBe(expected);
        const quoted = `"${expected.replace(/["\\]/g, '\\$&')}"`;
        if (!/%|=\?/.test(expected)) expect(nameInDisposition(sent(`attachment; filename=${quoted}`))).toBe(expected);
        const word = `=?UTF-8?B?${Buffer.from(expected).toString('base64')}?=`;
        expect(nameInDisposition(`attachment; filename="${word}"`)).toBe(expected);
      }),
    );
  });

  const fragment = fc.constantFrom(
    ...[
      'filename',
      '*',
      '=',
      '"',
      '\\',
      ';',
      ' ',
      '=?',
      '?',
      '?=',
      'UTF-8',
      "''",
      "'",
      'B',
      'Q',
      '%',
      '%C3',
      '%ZZ',
      'ä',
    ],
    ...['\u0000', '\t', ',', '/', 'attachment', 'iso-8859-1', '=C3', '_', '€', '\ud83d'],
  );

  it('is a file name or none, whatever the header says', () => {
    const header = fc.oneof(
      fc.array(fragment, { maxLength: 40 }).map((some) => some.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(header, (text) => {
        const name = nameInDisposition(text);
        if (name === null) return;
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
        expect(name.trim()).not.toBe('');
        expect([...name].length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it('takes time in proportion to a header of 64 KiB at most', () => {
    const BYTES = 64 * 1024;
    const few = fc.array(fragment, { minLength: 1, maxLength: 4 }).map((some) => some.join(''));
    const start = fc.constantFrom(
      '',
      'attachment; filename="',
      'filename=',
      "filename*=UTF-8''",
      'filename==?UTF-8?Q?',
    );
    fc.assert(
      fc.property(start, few, (prefix, repeated) => {
        // Quadratic time would be minutes, and so beyond the limit of a test.
        nameInDisposition(prefix + repeated.repeat(BYTES / repeated.length));
      }),
      { numRuns: 200 },
    );
  });
});
