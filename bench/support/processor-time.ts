import { readdir, readFile } from 'node:fs/promises';

/** Linux counts CPU time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;

/** A process and its descendants. */
export interface ProcessTree {
  readonly name: string;
  readonly pid: number;
}

/** CPU seconds used so far, by the name of the tree; trees with the same name are added up. */
export type ProcessorTime = ReadonlyMap<string, number>;

/**
 * Reads the CPU time of each process tree. A tree inside another is not counted twice. Unlike requests per second, CPU
 * time hardly depends on other load on the machine. Linux only; empty elsewhere.
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

/** Adds up the CPU time of several rounds of work. */
export class ProcessorTimeSpent {
  private readonly seconds = new Map<string, number>();

  /** Adds the time between two readings. */
  add(before: ProcessorTime, after: ProcessorTime): void {
    for (const [name, seconds] of after) {
      this.seconds.set(name, (this.seconds.get(name) ?? 0) + seconds - (before.get(name) ?? 0));
    }
  }

  /** Milliseconds of CPU time per item, for each tree that used at least 0.02 ms, and `all` for their sum. */
  perItem(items: number): Record<string, string> {
    const used = [...this.seconds].map(([name, seconds]) => [name, (seconds * 1000) / items] as const);
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
    // The second field, the program's name in parentheses, may contain anything: count from the last parenthesis.
    const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
    if (fields === undefined) continue;
    const [, parent, ...rest] = fields;
    // Own time in user and system mode, then that of children that have exited.
    const ticks = [9, 10, 11, 12].map((at) => Number(rest[at])).reduce((sum, value) => sum + value, 0);
    found.set(Number(name), { parent: Number(parent), seconds: ticks / TICKS_PER_SECOND });
  }
  return found;
}
