import { dispositionOf, rangeOf } from './file-download.js';

describe('rangeOf', () => {
  it.each([
    [undefined, null],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=100-', 'beyond'],
    ['bytes=-0', 'beyond'],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=-', null],
    ['items=0-1', null],
    ['bytes=0-99999999999999999999', null],
  ])('reads %s', (header, range) => {
    expect(rangeOf(header, 100)).toEqual(range);
  });
});

describe('dispositionOf', () => {
  it.each([
    ['image/jpeg', 'photo.jpg', 'inline; filename="photo.jpg"'],
    ['audio/ogg', 'a.ogg', 'inline; filename="a.ogg"'],
    ['video/mp4', 'a.mp4', 'inline; filename="a.mp4"'],
    ['image/svg+xml', 'a.svg', 'attachment; filename="a.svg"'],
    ['text/html', 'a.html', 'attachment; filename="a.html"'],
    ['application/pdf', 'a.pdf', 'attachment; filename="a.pdf"'],
    ['image/png\r\nx: y', 'a.png', 'attachment; filename="a.png"'],
    [
      'application/pdf',
      'Rechnung "März".pdf',
      `attachment; filename="Rechnung _M_rz_.pdf"; filename*=UTF-8''Rechnung%20%22M%C3%A4rz%22.pdf`,
    ],
  ])('of %s called %s', (mimeType, filename, expected) => {
    expect(dispositionOf({ mimeType, filename })).toBe(expected);
  });
});
