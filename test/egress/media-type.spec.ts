import { acceptsType, DOC, DOCX, HEAD_BYTES, type MediaKind, PPT, PPTX } from '../../src/egress/media-limits.js';
import { mediaTypeOf } from '../../src/egress/media-type.js';
import { compoundFile, ftyp, officeZip, ogg, padded, SAMPLES, zipEntry } from '../support/media-samples.js';

const typeOf = (head: Buffer | string, kind: MediaKind, servedAs: string | null = null, fileName = '') =>
  mediaTypeOf(Buffer.from(head).subarray(0, HEAD_BYTES), kind, { servedAs, fileName });

describe('media types by content', () => {
  it.each([
    ['image', 'JPEG', 'image/jpeg'],
    ['image', 'PNG', 'image/png'],
    ['video', 'MP4', 'video/mp4'],
    ['audio', 'AAC', 'audio/aac'],
    ['audio', 'MP3', 'audio/mpeg'],
    ['audio', 'M4A', 'audio/mp4'],
    ['audio', 'AMR', 'audio/amr'],
    ['audio', 'OGG', 'audio/ogg'],
    ['document', 'PDF', 'application/pdf'],
    ['document', 'DOC', DOC],
    ['document', 'DOCX', DOCX],
    ['document', 'PPT', PPT],
    ['document', 'PPTX', PPTX],
    ['document', 'TXT', 'text/plain'],
  ] as const)('accepts as %s: %s, whatever the headers claim', async (kind, format, mimeType) => {
    for (const contentType of [null, 'application/octet-stream', 'application/x-nonsense', 'image/gif']) {
      await expect(typeOf(SAMPLES[format], kind, contentType)).resolves.toBe(mimeType);
      await expect(typeOf(padded(SAMPLES[format], 10_000), kind, contentType)).resolves.toBe(mimeType);
    }
    expect(acceptsType(kind, mimeType)).toBe(true);
  });

  it.each([
    ['image', 'GIF89a\u0001\u0000\u0001\u0000', 'image/png', 'image/gif'],
    ['image', 'RIFF\u0010\u0000\u0000\u0000WEBPVP8 ', 'image/jpeg', 'image/webp'],
    ['image', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 'text/html'],
    ['image', '<!doctype html><p>Not found', 'image/png', 'text/html'],
    ['image', 'just words', 'image/png', 'text/plain'],
    ['image', '\u0001\u0002\u0003', 'image/png', 'an unknown type'],
    ['image', SAMPLES.MP4, 'image/png', 'video/mp4'],
    ['video', ftyp('qt  '), 'video/mp4', 'video/quicktime'],
    ['video', ftyp('3gp4'), 'video/mp4', 'video/3gpp'],
    ['video', SAMPLES.M4A, 'video/mp4', 'audio/mp4'],
    ['video', SAMPLES.PNG, 'video/mp4', 'image/png'],
    ['audio', SAMPLES.MP4, 'video/mp4', 'video/mp4'],
    ['audio', SAMPLES.PNG, 'audio/mpeg', 'image/png'],
    ['audio', Buffer.from('fffd9064', 'hex'), 'audio/mpeg', 'audio/mpeg (MP2)'],
    ['audio', ogg('\u0001vorbis'), 'audio/ogg', 'audio/ogg with Vorbis instead of Opus'],
    ['audio', ogg('\u007fFLAC'), 'audio/ogg', 'audio/ogg with FLAC instead of Opus'],
    ['audio', ogg('Speex  '), 'audio/ogg', 'audio/ogg with Speex instead of Opus'],
    ['document', SAMPLES.PNG, 'application/pdf', 'image/png'],
    ['document', compoundFile('Workbook'), 'application/msword', 'application/vnd.ms-excel'],
    [
      'document',
      officeZip('spreadsheetml.sheet'),
      DOCX,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    ['document', zipEntry('notes.txt', 'hello'), DOCX, 'application/zip'],
    ['document', '{\\rtf1 hello}', 'text/plain', 'application/rtf'],
    ['document', '<?xml version="1.0"?><a/>', 'text/plain', 'application/xml'],
    ['document', 'text with a \u0000 byte', 'text/plain', 'an unknown type'],
    ['document', Buffer.from('caf\u00e9', 'latin1'), 'text/plain', 'an unknown type'],
  ] as const)('detects a false %s by its content (%#)', async (kind, head, contentType, found) => {
    await expect(typeOf(head as Buffer, kind, contentType)).resolves.toBe(found);
    expect(acceptsType(kind, found)).toBe(false);
  });

  it.each([
    '<!DOCTYPE html>',
    '  \n<HTML lang="en">',
    '\ufeff<html>',
    '<!-- a comment -->',
    '<script>alert(1)</script>',
    '<p>Hello</p>',
  ])('does not accept HTML as TXT: %j', async (page) => {
    await expect(typeOf(page, 'document', 'text/plain', 'a.txt')).resolves.toBe('text/html');
  });

  it('treats text as HTML when the server says so', async () => {
    await expect(typeOf('hello', 'document', 'text/html')).resolves.toBe('text/html');
    await expect(typeOf('hello', 'document', null, 'page.html')).resolves.toBe('text/html');
  });

  it.each([
    'BM, the initials of our founder',
    'MZ 80 computers',
    'Wörter, die am Ende abgeschnitten sind',
    '\ufeffwith a byte order mark',
    'a < b and <b',
    '{"json":true}',
    'a;b;c\r\n1;2;3\f',
  ])('accepts as TXT: %j', async (words) => {
    await expect(typeOf(words, 'document')).resolves.toBe('text/plain');
  });

  it('accepts UTF-16 with a byte order mark as TXT, and UTF-8 cut in the middle of a character', async () => {
    await expect(typeOf(Buffer.from('\ufeffhello', 'utf16le'), 'document')).resolves.toBe('text/plain');
    await expect(typeOf(Buffer.from('\ufeffhello', 'utf16le').swap16(), 'document')).resolves.toBe('text/plain');
    await expect(typeOf(`a${'é'.repeat(HEAD_BYTES)}`, 'document')).resolves.toBe('text/plain');
  });

  it('consults header or file name only when the content is ambiguous', async () => {
    const doc = padded(compoundFile('WordDocument', 20), 20_000);
    await expect(typeOf(doc, 'document')).resolves.toBe('application/x-cfb');
    await expect(typeOf(doc, 'document', 'application/vnd.ms-powerpoint')).resolves.toBe(PPT);
    await expect(typeOf(doc, 'document', null, 'Letter.DOC')).resolves.toBe(DOC);
    await expect(typeOf(doc, 'document', null, 'sheet.xls')).resolves.toBe('application/x-cfb');

    const opening = zipEntry('_rels/.rels', 'x');
    await expect(typeOf(opening, 'document')).resolves.toBe('application/zip');
    await expect(typeOf(opening, 'document', PPTX)).resolves.toBe(PPTX);
    await expect(typeOf(opening, 'document', null, 'a.docx')).resolves.toBe(DOCX);
    await expect(typeOf(Buffer.concat([opening, zipEntry('ppt/a.xml', 'x')]), 'document', DOCX)).resolves.toBe(PPTX);

    await expect(typeOf(ftyp('isom'), 'audio', 'audio/mp4')).resolves.toBe('audio/mp4');
    await expect(typeOf(ftyp('isom'), 'audio', null, 'memo.m4a')).resolves.toBe('audio/mp4');
    const film = Buffer.concat([ftyp('isom'), Buffer.from('hdlr\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000vide')]);
    await expect(typeOf(film, 'audio', 'audio/mp4')).resolves.toBe('video/mp4');
  });

  it('accepts a bare signature', async () => {
    await expect(typeOf(SAMPLES.PNG.subarray(0, 8), 'image')).resolves.toBe('image/png');
    await expect(typeOf(padded(SAMPLES.PNG.subarray(0, 8), 4096), 'image')).resolves.toBe('image/png');
    await expect(typeOf('OggS', 'audio')).resolves.toBe('audio/ogg');
  });
});
