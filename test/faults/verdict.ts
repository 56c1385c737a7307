import { until } from '../support/until.js';
import { figuresOf, type Stretch, say, statusesOf } from './figures.js';
import type { Outcome } from './load.js';

/** Longest wait for the database, milliseconds; a busy machine may add {@link NOISE_MS}. */
const MAX_WAIT_MS = 10_000;
const NOISE_MS = 2000;
/** How long a service may take to recover after a fault, milliseconds. */
export const HEALED_WITHIN_MS = 15_000;
/** The same on a machine that is shared. */
export const SURELY_HEALED_WITHIN_MS = 10 * HEALED_WITHIN_MS;
/** A kind of request counts as held up if its p99 exceeds both this multiple of the quiet p99 and this many ms. */
const MAX_SLOWDOWN = 10;
const MAX_SLOW_MS = 2000;
/** Requests of each kind that must be answered before an observation ends. */
const ENOUGH = 5;

const EXAMPLES = 3;

/**
 * The quick tests run on shared machines, which may stand still for seconds. So they report durations without failing on
 * them, and accept what Parley answers when the database is slow. Instead they wait for answers: {@link unanswered}.
 */
export const IS_QUICK = process.env.FAULT_ROUNDS !== undefined;

/** Whether an answer is the documented refusal of a request that waited too long for the database, and may come again. */
export const isRefusedForNow = (answer: string): boolean => answer.includes('{"error":"unavailable"');

/**
 * Lists unacceptable answers: a 500 or none at all, a refusal without Retry-After, a wait of more than ten seconds. A
 * 503 is acceptable if `refusals` are expected, and in a quick test.
 */
export function badAnswers(stretches: readonly Stretch[], { refusals }: { refusals: boolean }): string[] {
  return stretches.flatMap(({ kind, outcomes }) => {
    const isFine = ({ status }: Outcome) => status === 200 || status === 201;
    const isRefused = ({ status, text }: Outcome) =>
      status === 503 && (refusals || (IS_QUICK && (kind === 'ready' || isRefusedForNow(text))));
    const wrong = outcomes.filter((outcome) => !isFine(outcome) && !isRefused(outcome));
    const silent = outcomes.filter(
      ({ status, retryAfter }) => status === 503 && kind !== 'ready' && !/^[1-9]\d*$/.test(retryAfter ?? ''),
    );
    const late = outcomes.filter(({ ms }) => ms > MAX_WAIT_MS + NOISE_MS);
    if (late.length > 0) say(`  ${kind}: ${late.length} took longer than ${MAX_WAIT_MS} ms`);
    return [
      ...finding(`${kind}: ${wrong.length} of ${outcomes.length} had an unexpected answer`, wrong),
      ...finding(`${kind}: ${silent.length} refusals without Retry-After`, silent),
      ...(IS_QUICK ? [] : finding(`${kind}: ${late.length} took longer than ${MAX_WAIT_MS} ms`, late)),
    ];
  });
}

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
 * Waits until enough requests of each kind have been answered 200 that began after `since`. Called while a fault lasts, it
 * proves that they need not wait for its end; called afterwards, that the service has recovered.
 *
 * @param recent the requests so far; those of a kind without any are not waited for, nor reports, which run out
 * @returns the kinds of which too few were answered in the end
 */
export async function unanswered(since: number, recent: () => readonly Stretch[]): Promise<string[]> {
  const missing = (): string[] =>
    recent().flatMap(({ kind, outcomes }) => {
      const answered = outcomes.filter(({ at, status }) => at >= since && status === 200);
      const isOver = kind === 'report' || outcomes.length === 0 || answered.length >= ENOUGH;
      return isOver ? [] : [`${kind}: only ${answered.length} were answered 200 (${statusesOf(outcomes)})`];
    });
  await until('enough are answered', () => missing().length === 0, SURELY_HEALED_WITHIN_MS).catch(() => undefined);
  return missing();
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
  return ms > HEALED_WITHIN_MS && !IS_QUICK ? [`it took ${(ms / 1000).toFixed(1)} s to heal`] : [];
}

function finding(what: string, outcomes: readonly Outcome[]): string[] {
  if (outcomes.length === 0) return [];
  const examples = [...new Set(outcomes.map(({ status, text }) => `${status} ${text}`.trim()))].slice(0, EXAMPLES);
  return [`${what} (${statusesOf(outcomes)}), such as ${examples.join(' | ')}`];
}
