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
  // Callers that do not await the write must not crash the process when the disk is full.
  group.written.catch(() => undefined);
  return group;
}

/**
 * An append-only file of ASCII lines with group commit: all lines appended in one turn of the event loop share a write.
 * The write is synchronous, because handing about 10 µs of copying to a thread costs more than doing it here. A written
 * line survives a kill of this process, but not a power failure.
 */
export class AppendLog {
  private group: Group | undefined;
  /** The first write error. Every later append fails too, because a ledger with a missing line proves nothing. */
  private failure: unknown;

  private constructor(
    private readonly file: number,
    /** File size in bytes, including lines not flushed yet. */
    private length: number,
  ) {}

  /** Opens or creates the file, passes each line to `replay`, and truncates a last line left incomplete by a kill. */
  static open(path: string, replay: (line: string, start: number) => void): AppendLog {
    const length = replayLines(path, replay);
    return new AppendLog(openSync(path, 'a+'), length);
  }

  get size(): number {
    return this.length;
  }

  /** Appends one line (given without newline); resolves once the operating system has it. */
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

  /** Reads bytes `start` to `end`, after flushing everything appended so far. */
  read(start: number, end: number): string {
    this.flush();
    const buffer = Buffer.allocUnsafe(end - start);
    return buffer.toString('latin1', 0, readSync(this.file, buffer, 0, buffer.length, start));
  }

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
