import { pause } from '../runtime/slices.js';

/** Characters that are read before other work gets its turn. */
const CHARACTERS_PER_LOOK = 64 * 1024;

/** The characters of strings are compared by code, which is faster: a string is read without a pause. */
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];

/**
 * Where a text stops being JSON, for a message to its author. It quotes nothing of the text, because that may hold
 * passwords and codes, and messages reach logs. Reads the text once.
 *
 * @returns null for a text that is JSON
 */
export function jsonFault(text: string): Promise<string | null> {
  return new FaultFinder(text).run();
}

/** What may come next: a value, a field of an object, or what follows one of them; `…OrEnd` also a closing bracket. */
type Expected = 'value' | 'valueOrEnd' | 'field' | 'fieldOrEnd' | 'colon' | 'next';

/** Reads a JSON text up to its first character that no JSON can have there. Iterative, so that nesting costs no stack. */
class FaultFinder {
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private expected: Expected = 'value';
  /** The closing bracket of everything that is open. */
  private readonly open: string[] = [];

  constructor(private readonly text: string) {}

  async run(): Promise<string | null> {
    const { text } = this;
    let look = CHARACTERS_PER_LOOK;
    let isRight = true;
    while (isRight) {
      this.skipSpace();
      if (this.at === text.length) break;
      isRight = this.step(text.charAt(this.at));
      if (this.at < look) continue;
      look = this.at + CHARACTERS_PER_LOOK;
      await pause();
    }
    if (this.at < text.length) {
      return `unexpected character at line ${this.line}, column ${this.at - this.lineStart + 1}`;
    }
    return isRight && this.expected === 'next' && this.open.length === 0 ? null : 'it ends too early';
  }

  private skipSpace(): void {
    for (; this.at < this.text.length; this.at += 1) {
      const character = this.text.charAt(this.at);
      if (character === '\n') {
        this.line += 1;
        this.lineStart = this.at + 1;
      } else if (character !== ' ' && character !== '\t' && character !== '\r') return;
    }
  }

  /** Reads one part of the text; false when it stays at a character that cannot be there, or at the end. */
  private step(character: string): boolean {
    switch (this.expected) {
      case 'value':
        return this.value(character);
      case 'valueOrEnd':
        return character === ']' ? this.close(character) : this.value(character);
      case 'field':
        return this.field(character);
      case 'fieldOrEnd':
        return character === '}' ? this.close(character) : this.field(character);
      case 'colon':
        return this.take(':', 'value');
      case 'next':
        return this.next(character);
    }
  }

  private value(character: string): boolean {
    this.expected = 'next';
    if (character === '"') return this.string();
    if (character === '[') return this.begin(']', 'valueOrEnd');
    if (character === '{') return this.begin('}', 'fieldOrEnd');
    if (character === '-' || isDigit(character)) return this.number();
    const word = WORDS.get(character);
    return word !== undefined && this.word(word);
  }

  private field(character: string): boolean {
    this.expected = 'colon';
    return character === '"' && this.string();
  }

  private next(character: string): boolean {
    const end = this.open.at(-1);
    if (end === undefined) return false;
    return character === ',' ? this.take(',', end === '}' ? 'field' : 'value') : this.close(character);
  }

  private begin(end: string, expected: Expected): boolean {
    this.open.push(end);
    this.expected = expected;
    this.at += 1;
    return true;
  }

  private close(character: string): boolean {
    if (character !== this.open.at(-1)) return false;
    this.open.pop();
    return this.take(character, 'next');
  }

  private take(character: string, expected: Expected): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    this.expected = expected;
    return true;
  }

  private word(word: string): boolean {
    for (const letter of word) {
      if (this.text.charAt(this.at) !== letter) return false;
      this.at += 1;
    }
    return true;
  }

  private number(): boolean {
    this.skip('-');
    if (!this.skip('0') && !this.digits()) return false;
    if (this.skip('.') && !this.digits()) return false;
    if (!this.skip('e') && !this.skip('E')) return true;
    if (!this.skip('+')) this.skip('-');
    return this.digits();
  }

  private digits(): boolean {
    const start = this.at;
    while (isDigit(this.text.charAt(this.at))) this.at += 1;
    return this.at > start;
  }

  private string(): boolean {
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code < SPACE) return false;
      if (code === QUOTE) {
        this.at += 1;
        return true;
      }
      if (code === BACKSLASH && !this.escape()) return false;
    }
    return false;
  }

  /** Reads an escape up to its last character. */
  private escape(): boolean {
    this.at += 1;
    const character = this.text.charAt(this.at);
    if (character !== 'u') return character !== '' && '"\\/bfnrt'.includes(character);
    for (let digit = 0; digit < 4; digit += 1) {
      this.at += 1;
      if (!isHexDigit(this.text.charCodeAt(this.at))) return false;
    }
    return true;
  }

  private skip(character: string): boolean {
    const isThere = this.text.charAt(this.at) === character;
    if (isThere) this.at += 1;
    return isThere;
  }
}

const WORDS: ReadonlyMap<string, string> = new Map(['true', 'false', 'null'].map((word) => [word.charAt(0), word]));

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** Sets the bit that distinguishes `f` from `F`. */
const isHexDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
