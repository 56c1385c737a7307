import { loadavg } from 'node:os';
import type { Outcome } from './load.js';

/** Requests of one kind in one period of a run. */
export interface Stretch {
  readonly kind: string;
  readonly outcomes: readonly Outcome[];
}

/** Latencies of one kind of request, milliseconds. */
export interface Figures {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** The smallest value that `share` of all values do not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    requests: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? 0,
  };
}

/** How often each status occurred: `200 × 31, 503 × 4`. */
export function statusesOf(outcomes: readonly Outcome[]): string {
  const counts = new Map<number | string, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} × ${count}`).join(', ');
}

/** Prints one line of a run's log directly, without jest's console frame. */
export function say(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

/** Prints the figures of one period, one line per kind. */
export function sayFigures(name: string, stretches: readonly Stretch[]): void {
  say(`${name} (load ${loadavg()[0]?.toFixed(1)})`);
  for (const { kind, outcomes } of stretches) {
    if (outcomes.length === 0) continue;
    const { p50, p99, slowest } = figuresOf(outcomes);
    say(
      `  ${kind.padEnd(8)} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms; ${statusesOf(outcomes)}`,
    );
  }
}
