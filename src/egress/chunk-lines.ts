import { CARRIAGE_RETURN, LINE_FEED } from './answer-head.js';

/** Bytes of one line, and of all trailers. */
const MAX_LINE = 16 * 1024;
const LINE_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

/** A size with extensions as the parser takes them. */
const TIDY_LINE =
  /^([0-9a-f]+)(?:;[!#$%&'*+\-.^_`|~0-9a-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9a-z]*|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*\r\n$/i;
/** A size with extensions, or what looks like them. */
const LINE = /^[ \t]*([0-9a-f]+)[ \t]*(?:;[^\0-\x08\x0a-\x1f\x7f]*)?\r?\n$/i;

/** What the next byte belongs to; after the last chunk, or what nobody understands, to nothing that is read here. */
type Place = 'size' | 'data' | 'end of data' | 'line feed of data' | 'trailers' | 'rest';

/** What is odd about the answer. */
export const UNTIDY_CHUNK_LINES = 'untidy chunk lines';

/**
 * Tidies the lines of one chunked body for the HTTP parser, which refuses blanks around sizes and extensions and lines
 * that end with LF alone. It drops trailers. What it does not understand it leaves to the parser, with all that follows.
 */
export class ChunkLines {
  private place: Place = 'size';
  /** Bytes of data that are missing from the chunk. */
  private missing = 0;
  /** The beginning of a line with a size, whose end has not arrived. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private trailerBytes = 0;
  /** Of the trailer that has begun. */
  private trailer = { bytes: 0, endsInReturn: false };
  private hasTidied = false;

  /** Whether a line was tidied. */
  get isOdd(): boolean {
    return this.hasTidied;
  }

  /**
   * Takes the next bytes of the body.
   *
   * @returns them as the parser takes them: the same buffer, unless something changed. Empty while a line goes on
   */
  feed(chunk: Buffer): Buffer {
    if (this.place === 'rest') return chunk;
    const tidied = new ChangedBytes(chunk);
    for (let at = 0; at < chunk.length && !this.isAtRest(); ) at = this.read(tidied, at);
    return tidied.all();
  }

  private isAtRest(): boolean {
    return this.place === 'rest';
  }

  /** @returns where to read on */
  private read(tidied: ChangedBytes, at: number): number {
    const byte = tidied.chunk[at];
    switch (this.place) {
      case 'size':
        return this.readSize(tidied, at);
      case 'trailers':
        return this.readTrailer(tidied, at);
      case 'data': {
        const present = Math.min(this.missing, tidied.chunk.length - at);
        this.missing -= present;
        if (this.missing === 0) this.place = 'end of data';
        return at + present;
      }
      case 'end of data':
        if (byte === CARRIAGE_RETURN) this.place = 'line feed of data';
        else if (byte === LINE_FEED) {
          this.tidy(tidied, at, at + 1, LINE_END);
          this.place = 'size';
        } else return this.leave(at);
        return at + 1;
      case 'line feed of data':
        if (byte !== LINE_FEED) return this.leave(at);
        this.place = 'size';
        return at + 1;
      case 'rest':
        return at;
    }
  }

  private readSize(tidied: ChangedBytes, at: number): number {
    const { chunk } = tidied;
    const begun = this.held;
    const plain = begun.length === 0 ? plainLine(chunk, at) : null;
    if (plain !== null) {
      this.beginChunk(plain.size);
      return plain.end;
    }
    const end = chunk.indexOf(LINE_FEED, at) + 1;
    const length = this.heldBytes + (end === 0 ? chunk.length : end) - at;
    if (end === 0 && length <= MAX_LINE) {
      begun.push(chunk.subarray(at));
      this.heldBytes = length;
      tidied.replace(at, chunk.length, NOTHING);
      return chunk.length;
    }
    const line = length > MAX_LINE ? null : joined([...begun, chunk.subarray(at, end)]);
    const read = line === null ? null : sizeIn(line.toString('latin1'));
    this.held = [];
    this.heldBytes = 0;
    if (read?.isTidy === false) this.tidy(tidied, at, end, Buffer.from(`${read.size.toString(16)}\r\n`));
    else for (const bytes of begun) tidied.replace(at, at, bytes);
    if (read === null) return this.leave(at);
    this.beginChunk(read.size);
    return end;
  }

  private beginChunk(size: number): void {
    this.missing = size;
    this.place = size === 0 ? 'trailers' : 'data';
  }

  private readTrailer(tidied: ChangedBytes, at: number): number {
    const { chunk } = tidied;
    const found = chunk.indexOf(LINE_FEED, at);
    const end = found < 0 ? chunk.length : found;
    const bytes = this.trailer.bytes + end - at;
    const endsInReturn = end > at ? chunk[end - 1] === CARRIAGE_RETURN : this.trailer.endsInReturn;
    this.trailerBytes += (found < 0 ? end : end + 1) - at;
    if (this.trailerBytes > MAX_LINE) return this.leave(at);
    if (found < 0) {
      this.trailer = { bytes, endsInReturn };
      tidied.replace(at, end, NOTHING);
      return end;
    }
    this.trailer = { bytes: 0, endsInReturn: false };
    if (!endsInReturn) this.hasTidied = true;
    const isLast = bytes === (endsInReturn ? 1 : 0);
    if (isLast) this.place = 'rest';
    // The last line is left as it is if all of it is here.
    if (!isLast || end - at !== 1) tidied.replace(at, end + 1, isLast ? LINE_END : NOTHING);
    return end + 1;
  }

  private tidy(tidied: ChangedBytes, start: number, end: number, by: Buffer): void {
    tidied.replace(start, end, by);
    this.hasTidied = true;
  }

  private leave(at: number): number {
    this.place = 'rest';
    return at;
  }
}

/** The size in a line of digits alone and where the line ends, without making a text of it; null for any other one. */
function plainLine(chunk: Buffer, start: number): { readonly size: number; readonly end: number } | null {
  let size = 0;
  // More digits may be too large.
  for (let at = start; at <= start + 12; at += 1) {
    const value = digitOf(chunk[at] ?? 0);
    if (value === null) {
      const isEnd = at > start && chunk[at] === CARRIAGE_RETURN && chunk[at + 1] === LINE_FEED;
      return isEnd ? { size, end: at + 2 } : null;
    }
    size = size * 16 + value;
  }
  return null;
}

function digitOf(byte: number): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : null;
}

/** Null for a line that nobody understands. */
function sizeIn(line: string): { readonly size: number; readonly isTidy: boolean } | null {
  const tidy = TIDY_LINE.exec(line)?.[1];
  const digits = tidy ?? LINE.exec(line)?.[1];
  const size = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
  return Number.isSafeInteger(size) ? { size, isTidy: tidy !== undefined } : null;
}

/** A chunk some bytes of which are replaced, in their order. */
class ChangedBytes {
  private readonly pieces: Buffer[] = [];
  /** Where the bytes begin that are not among the pieces. */
  private rest = 0;

  constructor(readonly chunk: Buffer) {}

  replace(start: number, end: number, by: Buffer): void {
    if (start > this.rest) this.pieces.push(this.chunk.subarray(this.rest, start));
    if (by.length > 0) this.pieces.push(by);
    this.rest = end;
  }

  all(): Buffer {
    const { pieces, rest, chunk } = this;
    if (rest === 0 && pieces.length === 0) return chunk;
    return joined(rest < chunk.length ? [...pieces, chunk.subarray(rest)] : pieces);
  }
}

/** Without copying if there is only one. */
const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
