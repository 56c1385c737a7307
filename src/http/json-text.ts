import { badRequest } from '../errors/domain-error.js';
import { mapInSlices, pause } from '../runtime/slices.js';
import { newRecordId } from '../values/record-id.js';

/** Maximum nesting of objects and arrays. Our bodies need only a few levels. */
const MAX_DEPTH = 32;
/** Values of a body, and of each entry of its long list. The longest list of other fields has half as many entries. */
const MAX_VALUES = 20_000;
const MAX_ENTRY_VALUES = 1000;
/** Fields of one object: libraries that copy and validate objects take time in proportion to their square. */
const MAX_FIELDS = 1000;
/** Characters that are read before other work gets its turn. */
const CHARACTERS_PER_LOOK = 64 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The long list in a JSON text. */
interface LongList {
  /** The positions of its brackets. */
  readonly start: number;
  end: number;
  /** The position after each entry. */
  readonly ends: number[];
}

/**
 * Parses JSON that may be hostile. Counts its values first, because a few megabytes of tiny values take the processor for
 * seconds, and parses the entries of `longList` in slices.
 *
 * @param longList the field whose entries don't count with the rest: each may have values of its own
 * @throws SyntaxError as `JSON.parse`, or DomainError `bad_request` when there are too many values or levels
 */
export async function parseJson(text: string, longList: string | null): Promise<unknown> {
  const list = await new JsonScan(text, longList).run();
  if (list === null) return JSON.parse(text) as unknown;
  // Nobody can guess it, so no text of the caller is taken for the list.
  const mark = newRecordId();
  const body = JSON.parse(`${text.slice(0, list.start)}"${mark}"${text.slice(list.end + 1)}`) as object;
  let from = list.start + 1;
  const entries = await mapInSlices(list.ends, (end) => {
    const entry = text.slice(from, end);
    from = end + 1;
    return JSON.parse(entry) as unknown;
  });
  for (const [field, value] of Object.entries(body)) {
    if (value === mark) Object.defineProperty(body, field, { value: entries, ...PLAIN });
  }
  return body;
}

/** Characters of a text that can hold neither too many values nor too many fields. */
const SHORT = 2000;
/** An escape, or a key that reaches an object's prototype. */
const UNPLAIN = /\\|__proto__|constructor/;
/** More brackets than levels are allowed. */
const DEEP = /^(?:[^[{]*[[{]){33}/;

/**
 * Parses a short JSON text in which nothing can be hostile, as nearly all bodies are: too short for too many values, and
 * without escapes, deep nesting and keys that reach a prototype.
 *
 * @returns undefined for any other text, and for what isn't JSON
 */
export function parsePlainJson(text: string): unknown {
  if (text.length > SHORT || UNPLAIN.test(text) || DEEP.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

/** Reads a JSON text once, without parsing it. A text that isn't JSON may pass. */
class JsonScan {
  private depth = 0;
  private values = 0;
  private entryValues = 0;
  private list: LongList | null = null;
  private isInList = false;
  /** Fields so far of each open object. */
  private readonly fields: number[] = [];
  /** The last text at the top level. */
  private field = '';

  constructor(
    private readonly text: string,
    private readonly longList: string | null,
  ) {}

  /** @returns the last long list that has entries */
  async run(): Promise<LongList | null> {
    const { text } = this;
    let look = CHARACTERS_PER_LOOK;
    for (let at = 0; at < text.length; at += 1) {
      if (at >= look) {
        look = at + CHARACTERS_PER_LOOK;
        await pause();
      }
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOfText(text, at);
        if (this.depth === 1) this.field = text.slice(at + 1, Math.min(end, at + 65));
        at = end;
      } else if (code === COMMA) this.next(at);
      else if (code === OPEN_LIST || code === OPEN_OBJECT) this.open(at, code);
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.close(at, code);
      else if (code === COLON) this.countField();
    }
    if (this.isInList) throw new SyntaxError(`${this.longList} is not closed`);
    return this.list !== null && this.list.ends.length > 0 ? this.list : null;
  }

  private open(at: number, code: number): void {
    this.count();
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw badRequest(`the request body must be nested at most ${MAX_DEPTH} levels deep`);
    this.fields[this.depth] = 0;
    if (code !== OPEN_LIST || this.depth !== 2 || this.field !== this.longList || this.list !== null) return;
    this.list = { start: at, end: 0, ends: [] };
    this.isInList = true;
    this.entryValues = 0;
  }

  private close(at: number, code: number): void {
    if (this.isInList && this.depth === 2 && this.list !== null) {
      this.isInList = false;
      if (code !== CLOSE_LIST) throw new SyntaxError(`${this.longList} is not closed`);
      const isEmpty = this.list.ends.length === 0 && this.text.slice(this.list.start + 1, at).trim() === '';
      if (!isEmpty) this.endEntry(this.list, at);
      this.list.end = at;
    }
    this.depth -= 1;
  }

  private next(at: number): void {
    if (this.isInList && this.depth === 2 && this.list !== null) this.endEntry(this.list, at);
    else this.count();
  }

  private endEntry({ ends }: LongList, at: number): void {
    ends.push(at);
    this.entryValues = 0;
    if (ends.length > MAX_VALUES) throw badRequest(`${this.longList} must have at most ${MAX_VALUES} entries`);
  }

  private countField(): void {
    const fields = (this.fields[this.depth] ?? 0) + 1;
    this.fields[this.depth] = fields;
    if (fields > MAX_FIELDS) throw badRequest(`no object of the request body may have more than ${MAX_FIELDS} fields`);
  }

  private count(): void {
    if (this.isInList) {
      this.entryValues += 1;
      if (this.entryValues <= MAX_ENTRY_VALUES) return;
      throw badRequest(`each entry of ${this.longList} must contain at most ${MAX_ENTRY_VALUES} values`);
    }
    this.values += 1;
    if (this.values > MAX_VALUES) throw badRequest(`the request body must contain at most ${MAX_VALUES} values`);
  }
}

/** The position of the quote that ends the text beginning at `start`, or the end of the JSON. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}
