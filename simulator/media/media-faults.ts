import { setTimeout as sleep } from 'node:timers/promises';
import { urlOrNull } from '../../src/values/parse-url.js';
import type { BytesAnswer } from '../exchange.js';
import { isObject } from '../json-object.js';

/** What can be wrong with the files of customers. */
const KINDS = [
  'slow',
  'silent',
  'endless',
  'wrong_sha256',
  'too_long',
  'too_short',
  'cut_off',
  'wrong_type',
  'expired',
  'unavailable',
  'redirect',
  'elsewhere',
] as const;

/** The setting `media_fault`: what is wrong, and with which share of the files. */
export interface MediaFault {
  kind: (typeof KINDS)[number];
  rate?: number;
  /** How fast a `slow` file arrives; 1024 unless set. */
  bytes_per_second?: number;
  /** Where `redirect` and `elsewhere` lead. */
  to?: string;
}

export const MEDIA_FAULT = `null or {kind, rate?, bytes_per_second?, to?}, with a kind of ${KINDS.join(', ')}, a rate from 0 to 1, and for redirect and elsewhere a URL in to`;

/** Whether a value is a setting for `media_fault`. */
export function isMediaFault(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { kind, rate = 1, bytes_per_second: speed = 1024, to, ...others } = value;
  if (Object.keys(others).length > 0 || !KINDS.includes(kind as MediaFault['kind'])) return false;
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) return false;
  if (!Number.isInteger(speed) || (speed as number) < 1) return false;
  const leadsAway = kind === 'redirect' || kind === 'elsewhere';
  return leadsAway ? typeof to === 'string' && urlOrNull(to) !== null : to === undefined;
}

/** How often a second a slow file goes on. */
const PIECES_PER_SECOND = 10;
const EXTRA = Buffer.alloc(1024, '+');
const HOUR_MS = 3_600_000;

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>;

async function* slowly(bytes: Bytes, speed: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const step = Math.max(1, Math.round(speed / PIECES_PER_SECOND));
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += step) {
      yield piece.subarray(at, at + step);
      await sleep((1000 * step) / speed, undefined, { signal, ref: false });
    }
  }
}

/** The first half of a file, and then nothing more. */
async function* half(bytes: Bytes, size: number): AsyncGenerator<Buffer> {
  let rest = Math.floor(size / 2);
  for await (const piece of bytes) {
    if (rest <= 0) return;
    yield piece.subarray(0, rest);
    rest -= piece.length;
  }
}

async function* altered(bytes: Bytes): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of bytes) {
    const shown = isFirst ? Buffer.from(piece) : piece;
    const last = shown.length - 1;
    if (isFirst && last >= 0) shown[last] = (shown[last] ?? 0) ^ 1;
    isFirst = false;
    yield shown;
  }
}

async function* withoutEnd(bytes: Bytes): AsyncGenerator<Buffer> {
  yield* bytes;
  for (;;) yield EXTRA;
}

async function* thenBreak(bytes: Bytes): AsyncGenerator<Buffer> {
  yield* bytes;
  throw new Error('the connection is cut off');
}

async function* thenWait(bytes: Bytes, signal: AbortSignal): AsyncGenerator<Buffer> {
  yield* bytes;
  await sleep(HOUR_MS, undefined, { signal, ref: false });
}

async function* thenMore(bytes: Bytes): AsyncGenerator<Buffer> {
  yield* bytes;
  yield EXTRA;
}

const refusal = (status: number, text: string): BytesAnswer => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: () => [Buffer.from(text)],
});

/** The answer to a request for a file whose address is not valid any more. */
export const EXPIRED = refusal(404, 'URL signature expired');

/** The answer with a file of `size` bytes, as the fault spoils it. */
export function spoilt(answer: BytesAnswer, size: number, fault: MediaFault): BytesAnswer {
  const { headers, body } = answer;
  const { 'content-length': _, ...unmeasured } = headers;
  const length = (bytes: number): Record<string, string> => ({ ...headers, 'content-length': String(bytes) });
  switch (fault.kind) {
    case 'slow':
      return { ...answer, body: (signal) => slowly(body(signal), fault.bytes_per_second ?? 1024, signal) };
    case 'silent':
      return { ...answer, body: (signal) => thenWait(half(body(signal), size), signal) };
    case 'endless':
      return { ...answer, headers: unmeasured, body: (signal) => withoutEnd(body(signal)) };
    case 'wrong_sha256':
      return { ...answer, body: (signal) => altered(body(signal)) };
    case 'too_long':
      return { ...answer, headers: length(size + EXTRA.length), body: (signal) => thenMore(body(signal)) };
    case 'too_short':
      return { ...answer, headers: length(Math.floor(size / 2)), body: (signal) => half(body(signal), size) };
    case 'cut_off':
      return { ...answer, body: (signal) => thenBreak(half(body(signal), size)) };
    case 'wrong_type':
      return { ...answer, headers: { ...headers, 'content-type': 'text/html' } };
    case 'expired':
      return EXPIRED;
    case 'unavailable':
      return refusal(503, 'Service temporarily unavailable');
    case 'redirect':
      return { status: 302, headers: { location: fault.to ?? '' }, body: () => [] };
    case 'elsewhere':
      return answer;
  }
}
