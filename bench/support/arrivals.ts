import { quantile } from './figures.js';

const SECOND = 1000;

/** The campaign of one phone, and the arrivals of its messages at the network. */
export interface PhoneRun {
  /** When the send of its campaign was accepted, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Messages per second. */
  readonly throughput: number;
  readonly recipients: number;
  /** When its messages arrived, in milliseconds since the epoch, sorted. */
  readonly arrivals: readonly number[];
}

/** Results of a group of phones. Milliseconds count from the start of each phone; Infinity means never. */
export interface FleetFigures {
  readonly messages: number;
  readonly firstMs: { readonly median: number; readonly p95: number; readonly max: number };
  readonly doneMs: number;
  /** Jain's index of the messages that each phone had sent after half the time of the slowest phone. */
  readonly fairness: number;
  /** The busiest second of any phone as a share of its allowed messages, and the number of phones above their limit. */
  readonly busiest: number;
  readonly phonesOver: number;
  /** Messages per second, from the first message to the last. */
  readonly perSecond: number;
}

/** @param lastedMs duration of the run, used as the time of phones that did not finish */
export function fleetFigures(runs: readonly PhoneRun[], lastedMs: number): FleetFigures {
  const firsts = runs.map(({ arrivals, startedAt }) => Math.max(0, (arrivals[0] ?? Infinity) - startedAt));
  const dones = runs.map(doneMs);
  const half = Math.min(Math.max(...dones), lastedMs) / 2;
  const all = runs.flatMap(({ arrivals }) => arrivals).sort((a, b) => a - b);
  const shares = runs.map((run) => busiestSecond(run.arrivals) / allowedASecond(run));
  return {
    messages: all.length,
    firstMs: { median: quantile(firsts, 0.5), p95: quantile(firsts, 0.95), max: Math.max(...firsts) },
    doneMs: Math.max(...dones),
    fairness: fairness(runs.map((run) => run.arrivals.filter((at) => at <= run.startedAt + half).length)),
    busiest: Math.max(...shares),
    phonesOver: shares.filter((share) => share > 1).length,
    perSecond: (all.length * SECOND) / Math.max(1, (all.at(-1) ?? 0) - (all[0] ?? 0)),
  };
}

function doneMs({ arrivals, startedAt, recipients }: PhoneRun): number {
  return Math.max(0, (arrivals[recipients - 1] ?? Infinity) - startedAt);
}

/** The throughput plus 10 % for network jitter, plus one because a second may start anywhere. */
const allowedASecond = ({ throughput }: PhoneRun): number => throughput * 1.1 + 1;

/** Jain's index: 1 when all amounts are equal, 1/n when one has everything. */
function fairness(amounts: readonly number[]): number {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const squares = amounts.reduce((total, amount) => total + amount * amount, 0);
  return squares === 0 ? 0 : (sum * sum) / (amounts.length * squares);
}

/** The highest number of `times` (sorted, in milliseconds) within any one second. */
function busiestSecond(times: readonly number[]): number {
  let from = 0;
  let max = 0;
  for (const [to, time] of times.entries()) {
    while ((times[from] ?? time) <= time - SECOND) from += 1;
    max = Math.max(max, to - from + 1);
  }
  return max;
}
