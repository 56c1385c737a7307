import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { guarded, unguarded } from '../src/contacts/files/csv-line.js';
import { RecordSplitter } from '../src/contacts/files/csv-records.js';
import type { RecordRules } from '../src/contacts/files/swallowed-rows.js';
import { countVariables, fill, networkText } from '../src/templates/template-variables.js';
import { maskIdentifiers } from '../src/values/person-identifiers.js';
import { PersonTokens, redactedAbout, redactedText } from '../src/values/redaction.js';
import { percentDecoded } from '../src/values/url-encoding.js';
import { readNumber } from '../src/values/written-number.js';
import { show } from './support/figures.js';

// What reads texts of customers takes time in proportion to the text: 64 KiB cost about four times what 16 KiB cost.
// Tries every pattern of the service, and the functions made of them, on one letter, on separators and on near misses.
// Fails when 64 KiB cost more than five times as much.

const [SMALL, LARGE] = [16 * 1024, 64 * 1024];
const MAX_RATIO = 5;
/** The fastest of so many measurements counts. */
const MEASUREMENTS = 5;
/** So many pairs of measurements may show that a ratio was the doing of other processes. */
const ATTEMPTS = 12;
/**
 * What takes less for 64 KiB is fast whatever its ratio, which would only measure the machine, milliseconds. A pattern that
 * reads each character again from each other one takes a thousand times as much.
 */
const FAST_MS = 2;
/** Beyond doubt, and too long to measure again, milliseconds. */
const SLOW_MS = 300;

/** Repeated until the text is long enough. */
const PIECES = [
  ...[
    'a',
    'A',
    '1',
    '_',
    'é',
    ' ',
    '\t',
    '\n',
    '"',
    "'",
    ',',
    ';',
    ':',
    '.',
    '-',
    '/',
    '\\',
    '@',
    '%',
    '+',
    '=',
    '(',
    '[',
  ],
  ...[
    '{',
    '{{',
    '{{a',
    '{{a}',
    '}}',
    'a ',
    'a@',
    'a@:',
    '@a',
    'a.',
    '1 ',
    '1-',
    '1.',
    '123456 ',
    '123456a',
    '%20',
    '1%20',
  ],
  ...[
    '1234567 ',
    'US',
    'US.',
    'US.1',
    '-US',
    '"=',
    "'=",
    ",'",
    ',"',
    ', ',
    'a,b\n',
    '"",',
    'filename=',
    'charset=',
    '; ',
  ],
  ...[
    '//',
    '../',
    'http://',
    'pk_live_',
    'a-',
    '0-',
    '::',
    '1:',
    '\u00a0',
    'q=',
    'a/',
    'a=b&',
    '{"a":',
    '\ud83d\udd11',
  ],
];
/** What stands before and after the repeated piece: the end decides whether a pattern fails late. */
const ENDS: readonly (readonly [start: string, end: string])[] = [
  ['', ''],
  ['', '!'],
  ['', '1234567'],
  ['http://a', '{'],
  ['filename="', '@'],
];

type Work = (text: string) => unknown;

const ada = new PersonTokens(['4915112345678', 'us.1349', 'ada@example.test']);

/** Each record is at fault, and read again from its second line. */
const FAULTY: RecordRules = { width: 1, key: 0, isRead: () => true, isKey: () => false, isFaultless: () => false };

/** The functions that the patterns are made for. */
const FUNCTIONS: Readonly<Record<string, Work>> = {
  'PersonTokens.areNamedIn': (text) => ada.areNamedIn(text),
  redactedText: (text) => redactedText(JSON.stringify({ note: text, at: text, id: text })),
  redactedAbout: (text) => redactedAbout({ note: text, list: [text] }, ada),
  maskIdentifiers,
  guarded,
  unguarded,
  splitRecords: (text) => [...new RecordSplitter(',', FAULTY).split(text, true)],
  percentDecoded,
  networkText,
  fill: (text) => fill(text, new Map([['a', 'b']])),
  countVariables: (text) => countVariables(text, text, 'NAMED'),
  readNumber: (text) => readNumber(text, 'DE'),
};

interface Pattern {
  readonly line: number;
  readonly pattern?: string;
  readonly flags: string;
}

/** Every pattern of the service's sources, applied as often as it fits. */
async function patterns(): Promise<Record<string, Work>> {
  const script = pathToFileURL(path.resolve('scripts/slow-patterns.mjs')).href;
  const { patternsIn } = (await import(script)) as { patternsIn(file: string, text: string): Pattern[] };
  const files = fs.readdirSync('src', { recursive: true, encoding: 'utf8' });
  const works = files
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .flatMap((file) =>
      patternsIn(file, fs.readFileSync(path.join('src', file), 'utf8')).flatMap(({ line, pattern, flags }) =>
        pattern === undefined ? [] : [[`${file}:${line} /${pattern}/`, applied(pattern, flags)] as const],
      ),
    );
  return Object.fromEntries(works);
}

function applied(pattern: string, flags: string): Work {
  const everywhere = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
  return (text) => text.replace(everywhere, '');
}

/** The fastest time that `work` takes for one text, milliseconds, when it reads the text so many times in a row. */
function measure(work: Work, text: string, times: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let each = 0; each < MEASUREMENTS; each += 1) {
    const started = performance.now();
    for (let time = 0; time < times; time += 1) attempt(work, text);
    fastest = Math.min(fastest, performance.now() - started);
    // What takes seconds needs no second measurement.
    if (fastest > SLOW_MS) break;
  }
  return fastest / times;
}

/** Texts that a function refuses count too: it has read them. */
function attempt(work: Work, text: string): void {
  try {
    work(text);
  } catch {}
}

const textOf = (piece: string, [start, end]: readonly [string, string], length: number): string =>
  start + piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end;

interface Finding {
  readonly ratio: number;
  readonly largeMs: number;
  readonly text: string;
}

/** The highest ratio of a work over all texts; null if it is fast with each. */
function worst(work: Work): Finding | null {
  let found: Finding | null = null;
  for (const piece of PIECES) {
    for (const ends of ENDS) {
      const [small, large] = [textOf(piece, ends, SMALL), textOf(piece, ends, LARGE)];
      const largeMs = measure(work, large, 1);
      if (largeMs < FAST_MS) continue;
      // As much text in both cases, so that both leave as much garbage.
      const ratioNow = () => measure(work, large, 1) / measure(work, small, LARGE / SMALL);
      let ratio = ratioNow();
      for (let each = 1; ratio > MAX_RATIO && largeMs < SLOW_MS && each < ATTEMPTS; each += 1) {
        ratio = Math.min(ratio, ratioNow());
      }
      if (found === null || ratio > found.ratio) {
        found = { ratio, largeMs, text: JSON.stringify(`${ends[0]}${piece}…${ends[1]}`) };
      }
    }
  }
  return found;
}

let [fast, failed] = [0, 0];
for (const [name, work] of Object.entries({ ...FUNCTIONS, ...(await patterns()) })) {
  const found = worst(work);
  if (found === null) {
    fast += 1;
    continue;
  }
  const isSlow = found.ratio > MAX_RATIO;
  if (isSlow) failed += 1;
  const { ratio, largeMs, text } = found;
  const verdict = isSlow ? 'TOO SLOW' : 'linear';
  show(name.slice(0, 80), { ratio: ratio.toFixed(1), text, '64 KiB (ms)': largeMs.toFixed(2), verdict });
}
console.log(`${fast} others take less than ${FAST_MS} ms with every text.`);
console.log(failed === 0 ? 'All take time in proportion to the text.' : `${failed} take too long for long texts.`);
process.exitCode = failed === 0 ? 0 : 1;
