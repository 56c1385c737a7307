import { encodedBytes, isLocalhost, isWebPort, parseEgressUrl, portOf } from './url-rules.js';

describe('customer URLs', () => {
  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
    ['http://[0:0:0:0:0:0:0:1]/', '[::1]'],
    ['http://LOCALHOST./', 'localhost'],
    ['https://example.com./a', 'example.com'],
    ['https://münchen.example/', 'xn--mnchen-3ya.example'],
    ['https://my_bucket.example.com/a', 'my_bucket.example.com'],
  ])('reads the host of %s as %s', (url, host) => {
    expect(parseEgressUrl(url).hostname).toBe(host);
  });

  it.each([
    'ftp://example.com/a',
    'file:///etc/passwd',
    'gopher://example.com:6379/_INFO',
    'data:image/png;base64,AA==',
    'javascript:alert(1)',
    'https:example.com',
    '//example.com/a',
    'example.com/a',
    '',
    'https://',
    'not a url',
    'https://example.com:99999/',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://[fe80::1%25eth0]/',
    'http://[::1',
  ])('refuses %j, which is not an http(s) URL', (url) => {
    expect(() => parseEgressUrl(url)).toThrow('must be a valid URL that starts with http:// or https://');
  });

  it.each([
    [' https://example.com/', 'begin with " ": remove it (got  https://example.com/)'],
    ['\ufeffhttps://example.com/', 'begin with "\\ufeff": remove it (got \\ufeffhttps://example.com/)'],
    ['"https://example.com/"', 'begin with "\\"": remove it (got "https://example.com/")'],
    ['“https://example.com/”', 'begin with "“": remove it (got “https://example.com/”)'],
    ['<https://example.com/>', 'begin with "<": remove it (got <https://example.com/>)'],
    ['https://example.com/a ', 'end with " ": remove it (got https://example.com/a )'],
    ['https://example.com/a\r\n', 'end with "\\r\\n": remove it (got https://example.com/a\\r\\n)'],
    ['https://example.com/a\u200b', 'end with "\\u200b": remove it (got https://example.com/a\\u200b)'],
    ['https://example.com/a\u00a0', 'end with "\\u00a0": remove it (got https://example.com/a\\u00a0)'],
    ['https://example.com\u200e', 'end with "\\u200e": remove it (got https://example.com\\u200e)'],
    ['http://exa mple.com/', 'contain " " (got http://exa mple.com/)'],
    ['https://example.com/a\r\nX: y', 'contain "\\r" (got https://example.com/a\\r\\nX: y)'],
    ['https://example.com\\@127.0.0.1/', 'contain "\\\\" (got https://example.com\\@127.0.0.1/)'],
  ])('names the character for which it refuses %j', (url, says) => {
    expect(() => parseEgressUrl(url)).toThrow(`must not ${says}`);
  });

  it('says how a blank is written', () => {
    expect(() => parseEgressUrl('https://example.com/a b')).toThrow(
      'must have " " percent-encoded, as %20 (got https://example.com/a b)',
    );
  });

  it('takes other characters than ASCII within a path', () => {
    expect(parseEgressUrl('https://example.com/a\u200cb').pathname).toBe('/a%E2%80%8Cb');
  });

  it.each(['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'])(
    'rejects the userinfo of %s',
    (url) => {
      expect(() => parseEgressUrl(url)).toThrow('must not contain a user name or password');
    },
  );

  it.each([
    'https://example.com../',
    'https://.example.com/',
    'https://a..b/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'abcdefghi.'.repeat(26)}com/`,
    "https://exa'mple.com/",
  ])('rejects the host name of %s', (url) => {
    expect(() => parseEgressUrl(url)).toThrow('must have a valid host name');
  });

  it('accepts 2,048 characters and rejects 2,049, naming limit and length', () => {
    const start = 'https://example.com/';
    expect(parseEgressUrl(start.padEnd(2048, 'a')).pathname).toHaveLength(2048 - start.length + 1);
    expect(() => parseEgressUrl(start.padEnd(2049, 'a'))).toThrow('must have at most 2048 characters (found 2049)');
  });

  it.each([80, 443, 1024, 3000, 8000, 8080, 8443, 9000, 65535])('accepts web port %i', (port) => {
    expect(isWebPort(port)).toBe(true);
  });

  it.each([0, 1, 21, 22, 23, 25, 53, 110, 389, 445, 587, 993, 2375, 3306, 5432, 6379, 9200, 11211, 27017])(
    'refuses port %i',
    (port) => {
      expect(isWebPort(port)).toBe(false);
    },
  );

  it("returns the scheme's default port", () => {
    expect(portOf(new URL('http://example.com'))).toBe(80);
    expect(portOf(new URL('https://example.com'))).toBe(443);
    expect(portOf(new URL('https://example.com:8443'))).toBe(8443);
  });

  it('recognises names of this machine', () => {
    expect(['localhost', 'a.localhost', 'notlocalhost', 'localhost.com'].map(isLocalhost)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('bytes of a header', () => {
  it.each([
    ['/M\u00c3\u00a4rz.pdf', '/M%C3%A4rz.pdf'],
    ['/M\u00e4rz.pdf', '/M%E4rz.pdf'],
    ['/a%20b?x=\u0080\u00ff#f', '/a%20b?x=%80%FF#f'],
    ['/a b"<>', '/a b"<>'],
  ])('above 127 are percent-encoded one by one: %j', (header, encoded) => {
    expect(encodedBytes(header)).toBe(encoded);
  });

  it.each([
    ['http://m\u00c3\u00bcnchen.example/', 'xn--mnchen-3ya.example'],
    // １２７.0.0.1 in UTF-8
    ['http://\u00ef\u00bc\u0091\u00ef\u00bc\u0092\u00ef\u00bc\u0097.0.0.1/', '127.0.0.1'],
  ])('name the same host as their characters: %j', (header, host) => {
    expect(parseEgressUrl(encodedBytes(header)).hostname).toBe(host);
  });

  it('name no host where they are no characters', () => {
    expect(() => parseEgressUrl(encodedBytes('http://m\u00fcnchen.example/'))).toThrow('must be a valid URL');
  });
});
