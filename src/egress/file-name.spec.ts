import { documentNameFor, fileName, nameInUrl } from './file-name.js';
import { DOCX } from './media-limits.js';

describe('the name of a file', () => {
  it.each([
    ['https://cdn.example/invoice-4711.pdf', 'invoice-4711.pdf'],
    ['https://cdn.example/a/b/invoice-4711.pdf?sig=abc/def.png#page=2', 'invoice-4711.pdf'],
    ['https://cdn.example/Summer%20sale%20%E2%82%AC.pdf', 'Summer sale €.pdf'],
    ['https://cdn.example/files/%2E%2E%2Fetc%2Fpasswd', 'passwd'],
    ['https://cdn.example/files/..%5C..%5Cboot.ini', 'boot.ini'],
    ['https://cdn.example/a%0D%0A%00b.pdf', 'ab.pdf'],
    ['https://cdn.example/a%E2%80%AEfdp.exe', 'afdp.exe'],
    ['https://cdn.example/download', 'download'],
    [`https://cdn.example/${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
    [`https://cdn.example/${'%F0%9F%98%80'.repeat(300)}`, '😀'.repeat(200)],
  ])('of %s is %s', (url, name) => {
    expect(nameInUrl(url)).toBe(name);
  });

  it.each([
    'https://cdn.example',
    'https://cdn.example/',
    'https://cdn.example/files/',
    'https://cdn.example/files/..',
    'https://cdn.example/%20%20',
    'https://cdn.example/%2F',
    'https://cdn.example/%E2%80%8B',
    'https://cdn.example/100%25%ff',
    'no URL',
  ])('is missing in %s', (url) => {
    expect(nameInUrl(url)).toBe('');
  });

  it('is missing when it is no percent-encoded text', () => {
    expect(fileName('100%.pdf')).toBe('');
  });

  it('of a document follows from its type', () => {
    expect(documentNameFor('application/pdf')).toBe('document.pdf');
    expect(documentNameFor(DOCX)).toBe('document.docx');
    expect(documentNameFor('text/plain')).toBe('document.txt');
  });
});
