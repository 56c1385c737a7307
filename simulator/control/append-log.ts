import { closeSync, ftruncateSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';

const CHUNK = 1 << 20;
const NEWLINE = 10;

interface Group {
  text: string;
  written: Promise<void>;
  settle: (error?: unknown) => void;
}

function newGroup(): Group {
  const group: Group = { text: '', written: Promise.resolve(), settle: () => undefined };
  group.written = new Promise((resolve, reject) => {
    group.settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Who does not wait for the line does not hear of a full disk either.
  group.written.catch(() => undefined);
  return group;
}

/**
 * An append-only file of ASCII lines with group commit: all lines of one turn of the event loop share a write. It is
 * synchronous, since handing some 10 µs of copying to a thread costs more than doing it. A written line outlives this
 * process, killed or not; the loss of power is not guarded against.
 */
export class AppendLog {
  private group: Group | undefined;
  /** Why nothing can be written any more: a witness that missed a line must not go on as if it had not. */
  private failure: unknown;

  private constructor(
    private readonly file: number,
    /** Bytes of the file once everything appended so far is written. */
    private length: number,
  ) {}

  /** Opens or makes the file, hands every line in it to `replay`, and cuts off a last line that was torn by a kill. */
  static open(path: string, replay: (line: string, start: number) => void): AppendLog {
    const length = replayLines(path, replay);
    return new AppendLog(openSync(path, 'a+'), length);
  }

  get size(): number {
    return this.length;
  }

  /** Appends one line without its newline; the promise resolves when the operating system has it. */
  append(line: string): Promise<void> {
    if (this.failure !== undefined) {
      const refused = newGroup();
      refused.settle(this.failure);
      return refused.written;
    }
    if (!this.group) {
      this.group = newGroup();
      setImmediate(() => this.flush());
    }
    this.group.text += `${line}\n`;
    this.length += line.length + 1;
    return this.group.written;
  }

  /** Bytes `start` to `end`, after everything appended so far has been written. */
  read(start: number, end: number): string {
    this.flush();
    const buffer = Buffer.allocUnsafe(end - start);
    return buffer.toString('latin1', 0, readSync(this.file, buffer, 0, buffer.length, start));
  }

  /** Empties the file. */
  clear(): void {
    if (this.group) this.group.text = '';
    this.flush();
    ftruncateSync(this.file, 0);
    this.length = 0;
  }

  close(): void {
    this.flush();
    this.failure ??= new Error('the file is closed');
    closeSync(this.file);
  }

  private flush(): void {
    const { group } = this;
    if (!group) return;
    this.group = undefined;
    try {
      const bytes = Buffer.from(group.text, 'latin1');
      for (let at = 0; at < bytes.length; at += writeSync(this.file, bytes, at));
      group.settle();
    } catch (error) {
      this.failure = error;
      group.settle(error);
    }
  }
}

function replayLines(path: string, replay: (line: string, start: number) => void): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return 0;
  }
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest = '';
  let start = 0;
  try {
    for (let read = readSync(file, chunk, 0, CHUNK, null); read > 0; read = readSync(file, chunk, 0, CHUNK, null)) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < read; at = chunk.indexOf(NEWLINE, from)) {
        const line = rest + chunk.toString('latin1', from, at);
        rest = '';
        replay(line, start);
        start += line.length + 1;
        from = at + 1;
      }
      rest += chunk.toString('latin1', from, read);
    }
  } finally {
    closeSync(file);
  }
  if (rest !== '') truncateSync(path, start);
  return start;
}
