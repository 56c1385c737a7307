import { quantile } from './figures.js';

const SECOND = 1000;

/** What one phone was to send, and what came of it at the network. */
export interface PhoneRun {
  /** When its campaign's send was accepted, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Messages per second. */
  readonly throughput: number;
  readonly recipients: number;
  /** When its messages came, milliseconds since the epoch in order. */
  readonly arrivals: readonly number[];
}

/** How a group of phones did. Milliseconds count from each phone's own start; Infinity: it never came to that. */
export interface FleetFigures {
  readonly messages: number;
  readonly firstMs: { readonly median: number; readonly p95: number; readonly max: number };
  readonly doneMs: number;
  /** Of the messages that each phone had sent at half of the slowest phone's time. */
  readonly fairness: number;
  /** The most messages of one phone in a second, as a share of what it may send, and how many phones were beyond that. */
  readonly busiest: number;
  readonly phonesOver: number;
  /** From the first message of all to the last. */
  readonly perSecond: number;
}

/** @param lastedMs how long the run was watched: what a phone that was not done by then is taken to have needed */
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

/** A tenth more than the throughput, for what the way to the network shifts, and one because seconds are cut anywhere. */
const allowedASecond = ({ throughput }: PhoneRun): number => throughput * 1.1 + 1;

/** Jain's index: 1 when all amounts are equal, 1/n when one has everything. */
export function fairness(amounts: readonly number[]): number {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const squares = amounts.reduce((total, amount) => total + amount * amount, 0);
  return squares === 0 ? 0 : (sum * sum) / (amounts.length * squares);
}

/** The most of `times`, milliseconds in order, that lie within one second, wherever it begins. */
export function busiestSecond(times: readonly number[]): number {
  let from = 0;
  let most = 0;
  for (const [to, time] of times.entries()) {
    while ((times[from] ?? time) <= time - SECOND) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
