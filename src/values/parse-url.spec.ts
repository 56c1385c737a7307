import { urlOrNull } from './parse-url.js';

describe('parseUrl', () => {
  it('parses a URL, and returns null for anything else', () => {
    expect(urlOrNull('https://example.com/a')?.hostname).toBe('example.com');
    expect(urlOrNull('example.com/a')).toBeNull();
  });

  it('parses hosts with non-ASCII letters however often it is called', () => {
    const urls = ['https://münchen.example/', 'https://example.com/', 'http://127.0.0.1/'];
    let refused = 0;
    for (let call = 0; call < 30_000; call += 1) if (urlOrNull(urls[call % 3] ?? '') === null) refused += 1;
    expect(refused).toBe(0);
  });
});
