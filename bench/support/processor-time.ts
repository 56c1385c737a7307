import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second: what Linux counts processor time in. */
const TICKS = 100;

/** One process and all processes below it. */
export interface ProcessTree {
  readonly name: string;
  readonly pid: number;
}

/** Processor seconds that each tree has used so far, by name; those of one name together. */
export type ProcessorTime = ReadonlyMap<string, number>;

/**
 * Reads how long each tree of processes has kept a processor busy; a tree inside another counts for itself alone.
 * Unlike requests a second, this hardly depends on what else the machine does. Linux only: empty elsewhere.
 */
export async function processorTime(trees: readonly ProcessTree[]): Promise<ProcessorTime> {
  const used = await readAll();
  const roots = new Set(trees.map(({ pid }) => pid));
  const total = (pid: number): number => {
    let sum = used.get(pid)?.seconds ?? 0;
    for (const [child, { parent }] of used) if (parent === pid && !roots.has(child)) sum += total(child);
    return sum;
  };
  const seconds = new Map<string, number>();
  if (used.size > 0) for (const { name, pid } of trees) seconds.set(name, (seconds.get(name) ?? 0) + total(pid));
  return seconds;
}

/** Adds up what was used in several stretches of work. */
export class ProcessorTimeSpent {
  private readonly seconds = new Map<string, number>();

  /** Adds what was used between two readings. */
  add(before: ProcessorTime, after: ProcessorTime): void {
    for (const [name, seconds] of after) {
      this.seconds.set(name, (this.seconds.get(name) ?? 0) + seconds - (before.get(name) ?? 0));
    }
  }

  /** Milliseconds of processor time per piece of work, of each tree that used some, and their sum. */
  perPiece(pieces: number): Record<string, string> {
    const used = [...this.seconds].map(([name, seconds]) => [name, (seconds * 1000) / pieces] as const);
    const sum = used.reduce((total, [, each]) => total + each, 0);
    return Object.fromEntries(
      [...used, ['all', sum] as const]
        .filter(([, each]) => each >= 0.02)
        .map(([name, each]) => [name, each.toFixed(2)]),
    );
  }
}

async function readAll(): Promise<Map<number, { parent: number; seconds: number }>> {
  const found = new Map<number, { parent: number; seconds: number }>();
  const names = await readdir('/proc').catch(() => []);
  for (const name of names.filter((each) => /^\d+$/.test(each))) {
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    // The second field is the program's name in brackets, which may hold anything.
    const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
    if (fields === undefined) continue;
    const [, parent, ...rest] = fields;
    // Own time in user and system mode, then that of children which have ended.
    const ticks = [9, 10, 11, 12].map((at) => Number(rest[at])).reduce((sum, value) => sum + value, 0);
    found.set(Number(name), { parent: Number(parent), seconds: ticks / TICKS });
  }
  return found;
}
