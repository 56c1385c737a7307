import { figuresOf, type Stretch, say, statusesOf } from './figures.js';
import type { Outcome } from './load.js';

/** Longest wait for the database, milliseconds; a busy machine may add {@link NOISE_MS}. */
const MAX_WAIT_MS = 10_000;
const NOISE_MS = 2000;
/** How long a service may take to recover after a fault, milliseconds. */
export const HEALED_WITHIN_MS = 15_000;
/** A kind of request counts as held up if its p99 exceeds both this multiple of the quiet p99 and this many ms. */
const MAX_SLOWDOWN = 10;
const MAX_SLOW_MS = 2000;

const EXAMPLES = 3;

/**
 * Lists unacceptable answers: a 500 or none at all, a refusal without Retry-After, a wait of more than ten seconds. A
 * 503 is acceptable only if `refusals` are expected.
 */
export function badAnswers(stretches: readonly Stretch[], { refusals }: { refusals: boolean }): string[] {
  return stretches.flatMap(({ kind, outcomes }) => {
    const acceptable = ({ status }: Outcome) => status === 200 || status === 201 || (refusals && status === 503);
    const wrong = outcomes.filter((outcome) => !acceptable(outcome));
    const silent = outcomes.filter(
      ({ status, retryAfter }) => status === 503 && kind !== 'ready' && !/^[1-9]\d*$/.test(retryAfter ?? ''),
    );
    const late = outcomes.filter(({ ms }) => ms > MAX_WAIT_MS + NOISE_MS);
    return [
      ...finding(`${kind}: ${wrong.length} of ${outcomes.length} had an unexpected answer`, wrong),
      ...finding(`${kind}: ${silent.length} refusals without Retry-After`, silent),
      ...finding(`${kind}: ${late.length} took longer than ${MAX_WAIT_MS} ms`, late),
    ];
  });
}

/** The quick tests run on shared machines, so they report latencies without failing on them. */
export const IS_QUICK = process.env.FAULT_ROUNDS !== undefined;

/** The kinds of request that were held up, compared with a quiet period of the same run. */
export function heldUp(quiet: readonly Stretch[], busy: readonly Stretch[]): string[] {
  return busy.flatMap(({ kind, outcomes }) => {
    const before = figuresOf(quiet.find((stretch) => stretch.kind === kind)?.outcomes ?? []).p99;
    const { p99, slowest } = figuresOf(outcomes);
    const target = 2 * before + 50;
    say(
      `  ${kind.padEnd(8)} p99 ${before.toFixed(0)} -> ${p99.toFixed(0)} ms (slowest ${slowest.toFixed(0)}; target ${target.toFixed(0)})${p99 > target ? ' !' : ''}`,
    );
    const limit = Math.max(MAX_SLOWDOWN * before, MAX_SLOW_MS);
    return p99 > limit && !IS_QUICK ? [`${kind}: p99 went from ${before.toFixed(0)} to ${p99.toFixed(0)} ms`] : [];
  });
}

/**
 * Milliseconds from `since` to the end of the last refused, failed or slow request: from then on, the service was back
 * to normal.
 */
export function healedAfter(stretches: readonly Stretch[], since: number): number {
  const bad = stretches
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ status, ms }) => status !== 200 || ms > MAX_SLOW_MS)
    .map(({ at, ms }) => at + ms);
  return Math.max(0, ...bad.map((end) => end - since));
}

/** Prints {@link healedAfter} and fails if it exceeds {@link HEALED_WITHIN_MS}. */
export function notHealed(stretches: readonly Stretch[], since: number): string[] {
  const ms = healedAfter(stretches, since);
  say(`  healed after ${(ms / 1000).toFixed(1)} s`);
  return ms > HEALED_WITHIN_MS ? [`it took ${(ms / 1000).toFixed(1)} s to heal`] : [];
}

function finding(what: string, outcomes: readonly Outcome[]): string[] {
  if (outcomes.length === 0) return [];
  const examples = [...new Set(outcomes.map(({ status, text }) => `${status} ${text}`.trim()))].slice(0, EXAMPLES);
  return [`${what} (${statusesOf(outcomes)}), such as ${examples.join(' | ')}`];
}
