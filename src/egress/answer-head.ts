import type { IncomingHttpHeaders } from 'node:http';

// Receivers answer in untidy frames: line ends of one LF, two lengths, folded or endless header lines. Their status line
// says what became of the request, so what follows it is tidied before the HTTP parser, which would refuse all of it.

/** What a status line begins with; `d` stands for a digit. */
const STATUS_FORM = 'HTTP/d.d ddd';
const STATUS_LINE = /^HTTP\/(\d\.\d) ([1-9]\d\d)(?: .*)?$/s;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)([ \t]*):(.*)$/s;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]+/g;
/** Valid lines, with a status that may have a body. */
const COMMON =
  /^HTTP\/1\.[01] (?!204|304)([2-9]\d\d) [^\u0000-\u001f\u007f]*\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\u0000-\u0008\u000a-\u001f\u007f]*\r\n)*\r\n$/;
const FRAMINGS = /^(?:content-length|transfer-encoding):.*$/gim;
const COMMON_FRAMING = /^(?:content-length:[ \t]*(\d{1,15})|transfer-encoding:[ \t]*chunked)\r?$/i;
/** A length that a number holds exactly. */
const LENGTH = /^\d{1,15}$/;

/** Characters of names and values that the parser takes, less what is added here. */
const MAX_FIELDS = 16_300;
/** Beyond that, a header of as many characters is left out first. */
const MAX_FIELD = 8 * 1024;
/** What the answer means; kept before all others. */
const MEANING = /^(?:location|retry-after|content-type|content-encoding|content-range)$/i;
/** As much of a head is read, so that an endless one costs no more time: in characters, and in lines. */
const MAX_READ = 64 * 1024;
const MAX_LINES = 1000;

/** The status of an answer that changes to another protocol. */
export const SWITCHING_PROTOCOLS = 101;

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What was odd about it; empty if it is valid. */
  readonly oddities: readonly string[];
  /** The length that it gives its body; null for none, or one that does not hold. */
  readonly bodyLength: number | null;
  /** Whether nobody knows where its body ends, so that none is read. */
  readonly isBodyLost: boolean;
}

/** A head as the parser takes it. */
export interface TidyHead extends AnswerHead {
  /** In Latin-1; null when it may stay as it was sent. */
  readonly tidied: string | null;
  /** Whether the body comes in chunks. */
  readonly isChunked: boolean;
}

/** The status line that a text begins with: its status, null when it goes on, or undefined when it is none. */
export function statusOf(text: string): number | null | undefined {
  const end = text.indexOf('\n');
  if (end >= 0) {
    const found = STATUS_LINE.exec(withoutReturn(text.slice(0, end)))?.[2];
    return found === undefined ? undefined : Number(found);
  }
  for (let at = 0; at < Math.min(text.length, STATUS_FORM.length); at += 1) {
    const [expected, given] = [STATUS_FORM.charAt(at), text.charAt(at)];
    if (expected === 'd' ? given < '0' || given > '9' : given !== expected) return undefined;
  }
  return text.length <= STATUS_FORM.length || /[ \r]/.test(text.charAt(STATUS_FORM.length)) ? null : undefined;
}

/** Where the head ends that begins at 0, behind its blank line; null when it goes on. */
export function endOfHead(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2;
    if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
  }
  return null;
}

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

/**
 * Reads the head of an answer.
 *
 * @param text from its status line on, in Latin-1; what follows its last line end is not read
 * @param mayHaveBody whether the answer to this request may have a body
 */
export function readHead(text: string, mayHaveBody: boolean): TidyHead {
  return commonHead(text) ?? readFields(text, mayHaveBody);
}

/** A head of the most common form, which nearly all have; in a sixth of the time. Null for any other. */
function commonHead(text: string): TidyHead | null {
  const status = text.length > MAX_FIELDS ? undefined : COMMON.exec(text)?.[1];
  if (status === undefined) return null;
  const [framing, ...others] = text.match(FRAMINGS) ?? [];
  const told = framing === undefined ? [] : COMMON_FRAMING.exec(framing);
  if (told === null || others.length > 0) return null;
  const [, length] = told;
  return {
    status: Number(status),
    // Those that count are the parser's.
    get headers() {
      return readFields(text, true).headers;
    },
    oddities: [],
    bodyLength: length === undefined ? null : Number(length),
    isBodyLost: false,
    tidied: null,
    isChunked: framing !== undefined && length === undefined,
  };
}

function readFields(text: string, mayHaveBody: boolean): TidyHead {
  const oddities = new Set<string>();
  const all = text.slice(0, MAX_READ).split('\n', MAX_LINES + 1);
  const isCut = text.length > MAX_READ || all.length > MAX_LINES;
  if (isCut) oddities.add(TOO_MANY);
  const lines = all.slice(0, -1);
  if (lines.some((line) => !line.endsWith('\r'))) oddities.add('lines that end without a carriage return');
  const [statusLine = '', ...rest] = lines.map(withoutReturn);
  const [, version = '', digits = ''] = STATUS_LINE.exec(statusLine) ?? [];
  const status = Number(digits);
  if (version !== '1.1' && version !== '1.0') oddities.add(`the version HTTP/${version}`);
  if (CONTROL.test(statusLine)) oddities.add('control characters in its first line');
  if (statusLine.length > MAX_FIELD) oddities.add(`a first line of ${statusLine.length} characters`);
  const fields = fieldsOf(unfolded(rest, oddities), oddities);
  const passed = withinLimits(fields, oddities);
  if (status === SWITCHING_PROTOCOLS) oddities.add('a change of protocols, for which nobody asked');
  const told = framingOf(fields, status, mayHaveBody, oddities);
  const framing = isCut ? NO_BODY : told;
  const head = {
    status,
    headers: headersOf(fields),
    oddities: [...oddities],
    bodyLength: framing.length,
    isBodyLost: framing === NO_BODY,
    isChunked: framing === CHUNKED,
  };
  // A length is valid there, but the parser would wait for that body.
  const isUnmodified = status === NOT_MODIFIED && fields.some(([name, value]) => isLength(name) && value !== '0');
  if (oddities.size === 0 && !isUnmodified) return { ...head, tidied: null };
  const kept = passed.filter(([name]) => !FRAMING.test(name));
  // It is not used again: nobody knows where the next answer would begin.
  const written = [...kept, ...framing.fields, ['connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`);
  return { ...head, tidied: `HTTP/1.1 ${status} \r\n${written.join('')}\r\n` };
}

const TOO_MANY = 'too many headers';
const NOT_MODIFIED = 304;
const isLength = (name: string): boolean => name.toLowerCase() === 'content-length';

type Field = readonly [name: string, value: string];

/** Headers on how the answer is sent. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade)$/i;

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Lines up to the blank one, with those that continue them. */
function unfolded(lines: readonly string[], oddities: Set<string>): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    if (line === '') break;
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded) oddities.add('folded header lines');
    if (isFolded && whole.length > 0) whole.push(`${whole.pop()} ${trimmed(line)}`);
    else if (!isFolded) whole.push(line);
  }
  return whole;
}

function fieldsOf(lines: readonly string[], oddities: Set<string>): Field[] {
  return lines.flatMap((line) => {
    const [, name, blank, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || blank !== '') oddities.add('header lines without a valid name');
    if (name === undefined) return [];
    if (CONTROL.test(value)) oddities.add('control characters in its headers');
    return [[name, trimmed(value.replace(CONTROLS, ' '))] as const];
  });
}

/** Without blanks at both ends. Nothing else is one: `\xa0` may be half of a character in UTF-8. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** As many fields as the parser takes. */
function withinLimits(fields: readonly Field[], oddities: Set<string>): readonly Field[] {
  const sizeOf = ([name, value]: Field): number => name.length + value.length;
  if (fields.reduce((size, field) => size + sizeOf(field), 0) <= MAX_FIELDS) return fields;
  const meaning = fields.filter(([name]) => MEANING.test(name));
  let size = 0;
  return [...meaning, ...fields.filter((field) => !meaning.includes(field))].filter((field) => {
    const { length } = field[1];
    const isTooLong = length > MAX_FIELD || size + sizeOf(field) > MAX_FIELDS;
    if (isTooLong) oddities.add(length > MAX_FIELD ? `a header of ${length} characters` : TOO_MANY);
    else size += sizeOf(field);
    return !isTooLong;
  });
}

/** How the parser is to find the end of the body. */
interface Framing {
  /** None for a body that ends with the connection. */
  readonly fields: readonly Field[];
  readonly length: number | null;
}

const CHUNKED: Framing = { fields: [['transfer-encoding', 'chunked']], length: null };
const NO_LENGTH: Framing = { fields: [], length: null };
/** Where nobody knows where the body ends, none is read. */
const NO_BODY: Framing = { fields: [['content-length', '0']], length: null };

function framingOf(fields: readonly Field[], status: number, mayHaveBody: boolean, oddities: Set<string>): Framing {
  const all = (wanted: string) =>
    fields
      .filter(([name]) => name.toLowerCase() === wanted)
      .flatMap(([, value]) => value.split(','))
      .map(trimmed);
  const [lengths, told] = [all('content-length'), all('transfer-encoding').map((coding) => coding.toLowerCase())];
  if (!mayHaveBody || status === NOT_MODIFIED) return NO_LENGTH;
  if (status === 204) {
    if (told.length > 0 || lengths.some((length) => length !== '0'))
      oddities.add('a body, which its status must not have');
    return NO_LENGTH;
  }
  const codings = told.filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length < told.length) oddities.add('a transfer encoding that is none');
  if (codings.length > 0 && lengths.length > 0) {
    oddities.add('both a length and a transfer encoding');
    return NO_BODY;
  }
  if (codings.length > 0) {
    const chunked = codings.filter((coding) => coding === 'chunked').length;
    if (chunked > 1) oddities.add('two transfer encodings');
    if (codings.at(-1) === 'chunked') return CHUNKED;
    oddities.add('an unknown transfer encoding');
    return NO_LENGTH;
  }
  const [length] = lengths;
  if (length === undefined) return NO_LENGTH;
  if (lengths.length > 1) oddities.add('two lengths');
  if (lengths.some((other) => !LENGTH.test(other))) oddities.add('a length that is no number');
  const holds = lengths.every((other) => LENGTH.test(other) && Number(other) === Number(length));
  return holds ? { fields: [['content-length', `${Number(length)}`]], length: Number(length) } : NO_BODY;
}

function headersOf(fields: readonly Field[]): IncomingHttpHeaders {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const former = headers[key];
    headers[key] = former === undefined ? value : `${former}, ${value}`;
  }
  return headers;
}
