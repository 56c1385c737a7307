import fc from 'fast-check';

/** A request to build for some route. Numbers choose among what the route offers, so that seeds survive new routes. */
export interface OddRequest {
  readonly route: number;
  readonly tenant: number;
  /** Replaces a path parameter, if the route has one. */
  readonly segment: string | undefined;
  readonly query: readonly { readonly field: number; readonly text: string }[];
  /** Changes to a valid body. */
  readonly changes: readonly { readonly field: number; readonly value: unknown }[];
  /** Sent instead of the body. */
  readonly raw: string | undefined;
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Becomes a number that JSON.stringify cannot write. */
export const HUGE_NUMBERS: Readonly<Record<string, string>> = {
  '<1e999>': '1e999',
  '<-1e999>': '-1e999',
  '<-0>': '-0',
  '<many digits>': '123456789012345678901234567890',
};

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const TEXTS = [
  '',
  ' ',
  '\n',
  '0',
  'null',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00x',
  '😀'.repeat(40),
  'e\u0301'.repeat(1000),
  '\u202etxet',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE contacts; --",
  '%',
  '_',
  '\\',
  '{{1}}',
  '{{99999999999}}',
  '{{__proto__}}',
  '2030-13-45T99:99:99Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2030-01-31T09:30:00+23:59',
  'Etc/Unknown',
  'http://[::1',
  'http://127.0.0.1:1/a.jpg',
  'https://127.0.0.1:99999/',
  'http://user:pass@127.0.0.1:1/',
  'javascript:alert(1)',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '4915112345678',
  '+49 151 12345678',
  '٤٩١٥١١٢٣٤٥٦٧',
  'US.13491208655302741918',
  'true',
  '1e3',
  '99999999999999999999',
];

// No text says “undefined”: a message that has the word got it from our code.
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  5e-324,
  ...Object.keys(HUGE_NUMBERS),
  [],
  {},
  [[]],
  [null],
  [{}],
  [1, 'a', null],
  { a: {} },
  { a: null },
  { '': '' },
  { 'a\u0000b': 'c' },
  { '\ud800': 'c' },
  { toString: 'x', hasOwnProperty: 'x' },
  { length: 5 },
  { 0: 'a', 1: 'b' },
  ['__proto__'],
  Array(1500).fill('a'),
  Array(200).fill({}),
  nested(20),
  nested(40),
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 3, arbitrary: text },
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
);

const segment = fc.constantFrom(
  ...['%00', '%ff', '%zz', '%', '..%2f..', '%2e%2e', '%20', '0', '-1', 'null', 'nobody', '__proto__', 'constructor'],
  ...['x'.repeat(513), 'x'.repeat(200), '1e3', '%F0%9F%98%80', '%ED%A0%80', '%E0%A4%A', "'", '%22', '4915112345678%00'],
  ...['US.1', 'US.13491208655302741918', '4915112345678', '+4915112345678', ';a=b', '%3F', '%23', 'a%2Fb', '\u00e9'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-7FFF-8FFF-FFFFFFFFFFFF',
    '01990000-0000-7000-8000-00000000000',
  ],
);

const queryText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '=',
      '=%00',
      '=%ff',
      '=%',
      '=%zz',
      '[]=1',
      '[a]=1',
      '[__proto__][a]=1',
      '=1&page=2',
      '=-0',
      '=1e9',
      '=0x10',
    ],
    ...[
      '=99999999999999999999',
      '=1.5',
      '=NaN',
      '=%25%5F%5C',
      '=%ED%A0%80',
      '=\u00e9',
      '=true',
      '=%F0%9F%98%80',
      '=+',
      '&&&',
    ],
    ...[
      '=1000000000',
      '=100',
      '=00000000-0000-0000-0000-000000000000',
      `=${'x'.repeat(3000)}`,
      '=%27%3B--',
      '=%E2%80%AE',
      '=a%0Ab',
    ],
  ),
  text.map((each) => `=${encodeURIComponent(each.toWellFormed().slice(0, 500))}`),
);

const raw = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '{',
      '}',
      '[',
      '[]',
      'null',
      '"text"',
      '1',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}{"a":2}',
      '\ufeff{}',
      '{"a":\u00001}',
    ],
    ...[
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{"name":"\\ud800"}',
      '{"a\\u0000":1}',
      'a=b&c=d',
    ],
    ...['--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nphone_number\r\n--x--\r\n', '--x\r\n\r\n', '--x--'],
    ...[
      'phone_number,first_name\n4915112345678,"Ada',
      'phone_number\n\u0000\n',
      'a,a\n1,2',
      '"',
      `${'a,'.repeat(2000)}\n`,
      '\n\n\n',
    ],
    ...[
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `{"a":${'{"a":'.repeat(500)}1${'}'.repeat(501)}`,
      '\u00ff\u00fe{\u0000}\u0000',
    ],
    ...['{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":null}]}]}'],
    ...['{"object":1,"entry":{}}', '{"entry":[null,1,{"changes":[null,{"value":{"statuses":[null],"messages":{}}}]}]}'],
  ),
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const contentType = fc.constantFrom(
  ...[
    'text/plain',
    'text/csv',
    'text/csv; charset=utf-16',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    '',
  ],
  ...[
    'application/json; charset=latin1',
    'application/vnd.api+json',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
  ],
  ...[
    '/',
    'json',
    'application/json, text/plain',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ],
);

const idempotencyKey = fc.constantFrom(
  ...[
    '',
    ' ',
    'a',
    'same',
    'same',
    'a b',
    'k'.repeat(255),
    'k'.repeat(256),
    '\u00e9',
    'a\tb',
    '"quoted"',
    '__proto__',
    'a, b',
  ],
);

const headers = fc.constantFrom<Record<string, string>>(
  { 'x-request-id': '' },
  { 'x-request-id': 'x'.repeat(1000) },
  { 'x-request-id': '\u00e9\u00ff' },
  { accept: 'text/html' },
  { accept: '/' },
  { 'accept-encoding': 'gzip, br;q=nonsense' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'nonsense' },
  { 'accept-language': '\u00ff' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'never' },
  { 'x-forwarded-for': 'garbage, 1.2.3.4' },
  { 'x-forwarded-proto': 'javascript' },
  { 'x-http-method-override': 'DELETE' },
  { origin: 'null' },
  { cookie: '=;=;__proto__=1' },
  { traceparent: '00-zz-zz-zz' },
  { 'x-hub-signature-256': 'sha256=zz' },
  { te: 'trailers' },
  { host: '' },
);

/** `count` requests, always the same for one seed. */
export const oddRequests = (seed: number, count: number): OddRequest[] =>
  fc.sample(
    fc.record<OddRequest>({
      route: fc.nat(),
      tenant: fc.nat(),
      segment: fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, segment),
      query: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(fc.record({ field: fc.nat(), text: queryText }), { minLength: 1, maxLength: 3 }),
      ),
      changes: fc.array(fc.record({ field: fc.nat(), value }), { minLength: 0, maxLength: 3 }),
      raw: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, raw),
      contentType: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, contentType),
      idempotencyKey: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, idempotencyKey),
      headers: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, headers),
    }),
    { seed, numRuns: count },
  );
