import { changesBytes, contentEncodingOf } from './content-encoding.js';

const read = (header: string) => contentEncodingOf({ 'content-encoding': header });

describe('the Content-Encoding of a response', () => {
  it.each(['', ' ', ',', 'identity', 'Identity, identity'])('is none: %j', (header) => {
    expect(read(header)).toBeNull();
    expect(changesBytes(read(header))).toBe(false);
  });

  it('is none without the header', () => {
    expect(contentEncodingOf({})).toBeNull();
  });

  it.each([
    ['gzip', ['gzip']],
    ['x-gzip', ['gzip']],
    [' GZip ', ['gzip']],
    ['deflate', ['deflate']],
    ['br', ['br']],
    ['identity, gzip', ['gzip']],
    // What was applied last is decoded first.
    ['gzip, br', ['br', 'gzip']],
    ['gzip,gzip', ['gzip', 'gzip']],
  ])('is decoded: %j', (header, codings) => {
    expect(read(header)).toEqual({ codings, oddity: null, refusal: null });
    expect(changesBytes(read(header))).toBe(true);
  });

  it('may come in several headers', () => {
    const headers = { 'content-encoding': ['gzip', 'br'] as unknown as string };
    expect(contentEncodingOf(headers)?.codings).toEqual(['br', 'gzip']);
  });

  it.each([
    ['zstd', 'an unknown content encoding, "zstd"', 'zstd'],
    ['gzip, zstd', 'an unknown content encoding, "zstd"', 'gzip, zstd'],
    ['compress', 'an unknown content encoding, "compress"', 'compress'],
    ['constructor', 'an unknown content encoding, "constructor"', 'constructor'],
    ['gzip, br, gzip', 'more than two content encodings, "gzip, br, gzip"', 'gzip, br, gzip'],
    ['"gz\u00fcp"\u0001', 'an unknown content encoding, "?gz?p??"', '?gz?p??'],
    ['x'.repeat(50), `an unknown content encoding, "${'x'.repeat(40)}…"`, `${'x'.repeat(40)}…`],
  ])('is named where it is unknown: %j', (header, oddity, names) => {
    const refusal = `is encoded as ${names}, which Parley cannot decode. Have its server send it without a Content-Encoding`;
    expect(read(header)).toEqual({ codings: [], oddity, refusal });
    expect(changesBytes(read(header))).toBe(true);
  });

  it.each([
    ['utf-8', []],
    ['none', []],
    ['aws-chunked, gzip', ['gzip']],
  ])('is odd where it leaves the bytes as they are: %j', (header, codings) => {
    const oddity = expect.stringMatching(/^an unknown content encoding, "(?:utf-8|none|aws-chunked)"$/);
    expect(read(header)).toEqual({ codings, oddity, refusal: null });
    expect(changesBytes(read(header))).toBe(codings.length > 0);
  });
});
