import { figuresOf, type Stretch, say, statusesOf } from './figures.js';
import type { Outcome } from './load.js';

/** Nobody waits longer for the database, milliseconds; a busy machine may add its own. */
const MAX_WAIT_MS = 10_000;
const NOISE_MS = 2000;
/** A service is back to normal so long after the cause has gone, milliseconds. */
export const HEALED_WITHIN_MS = 15_000;
/** Beyond this multiple of its quiet p99, and beyond this many milliseconds, a request counts as held up by others. */
const MAX_SLOWDOWN = 10;
const MAX_SLOW_MS = 2000;

const EXAMPLES = 3;

/**
 * What is wrong with these answers: a 500 or none at all, a refusal that does not say when to come back, a wait of more than
 * ten seconds. A refusal itself is fine when `refusals` are expected.
 */
export function disorder(stretches: readonly Stretch[], { refusals }: { refusals: boolean }): string[] {
  return stretches.flatMap(({ kind, outcomes }) => {
    const orderly = ({ status }: Outcome) => status === 200 || (refusals && status === 503);
    const wrong = outcomes.filter((outcome) => !orderly(outcome));
    const mute = outcomes.filter(
      ({ status, retryAfter }) => status === 503 && kind !== 'ready' && !/^[1-9]\d*$/.test(retryAfter ?? ''),
    );
    const late = outcomes.filter(({ ms }) => ms > MAX_WAIT_MS + NOISE_MS);
    return [
      ...told(`${kind}: ${wrong.length} of ${outcomes.length} were answered otherwise than they should`, wrong),
      ...told(`${kind}: ${mute.length} refusals without Retry-After`, mute),
      ...told(`${kind}: ${late.length} took longer than ${MAX_WAIT_MS} ms`, late),
    ];
  });
}

/** The quick half runs on machines that do other things as well: there figures are told, and not judged. */
export const IS_QUICK = process.env.FAULT_ROUNDS !== undefined;

/** Which kinds of request were held up, compared with a quiet stretch of the same run. */
export function heldUp(quiet: readonly Stretch[], busy: readonly Stretch[]): string[] {
  return busy.flatMap(({ kind, outcomes }) => {
    const before = figuresOf(quiet.find((stretch) => stretch.kind === kind)?.outcomes ?? []).p99;
    const { p99, slowest } = figuresOf(outcomes);
    const wanted = 2 * before + 50;
    say(
      `  ${kind.padEnd(8)} p99 ${before.toFixed(0)} -> ${p99.toFixed(0)} ms (slowest ${slowest.toFixed(0)}; wanted ${wanted.toFixed(0)})${p99 > wanted ? ' !' : ''}`,
    );
    const limit = Math.max(MAX_SLOWDOWN * before, MAX_SLOW_MS);
    return p99 > limit && !IS_QUICK ? [`${kind}: p99 went from ${before.toFixed(0)} to ${p99.toFixed(0)} ms`] : [];
  });
}

/**
 * How long after `since` the last request ended that was refused, failed or slow, milliseconds: from then on the service was
 * back to normal.
 */
export function healedAfter(stretches: readonly Stretch[], since: number): number {
  const bad = stretches
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ status, ms }) => status !== 200 || ms > MAX_SLOW_MS)
    .map(({ at, ms }) => at + ms);
  return Math.max(0, ...bad.map((end) => end - since));
}

/** As {@link healedAfter}, told and judged. */
export function notHealed(stretches: readonly Stretch[], since: number): string[] {
  const ms = healedAfter(stretches, since);
  say(`  healed after ${(ms / 1000).toFixed(1)} s`);
  return ms > HEALED_WITHIN_MS ? [`it took ${(ms / 1000).toFixed(1)} s to heal`] : [];
}

function told(what: string, outcomes: readonly Outcome[]): string[] {
  if (outcomes.length === 0) return [];
  const examples = [...new Set(outcomes.map(({ status, text }) => `${status} ${text}`.trim()))].slice(0, EXAMPLES);
  return [`${what} (${statusesOf(outcomes)}), such as ${examples.join(' | ')}`];
}
