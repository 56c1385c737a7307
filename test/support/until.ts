import { endsWithin } from '../../src/values/ends-within.js';

/**
 * How long a condition may take by default before the test fails. A busy machine may need tens of seconds for what takes
 * one on a quiet machine; only a condition that never holds costs the whole time.
 */
const TIMEOUT_MS = 90_000;
/** No condition gets less: a bound on a duration fails on a busy machine though nothing is broken. */
const MIN_TIMEOUT_MS = 30_000;
/** Between two checks: a tenth of what has passed, because each costs a request or a statement, and others need them. */
const MIN_INTERVAL_MS = 15;
const MAX_INTERVAL_MS = 250;
/** Its own: a test may hold those of the service. */
const { setTimeout: setOwnTimeout } = globalThis;
/** How long the last check may take beyond the limit. */
const SILENCE_MS = 30_000;

/** Why a condition will never hold, such as that the program which should bring it about has ended. */
export class Hopeless extends Error {}

/**
 * Waits until `check` returns a truthy value, and returns it. A check that throws is repeated like one that returns
 * nothing. The last check begins after the limit; one that never settles is not waited for much longer.
 *
 * The condition must stay true once it is: compare what grows with `>=`, and assert the exact value afterwards.
 *
 * @param what names the condition in the error message
 * @param timeoutMs at least 30,000
 * @throws Error after the limit, with what the last check threw; at once when a check throws {@link Hopeless}
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const { found, cause } = await repeated(check, timeoutMs);
  if (found) return found;
  const late = `timed out after ${timeoutMs} ms waiting until ${what}`;
  throw cause instanceof Error ? new Error(`${late}: ${cause.message}`, { cause }) : new Error(late);
}

/**
 * Repeats an assertion until it holds. For what becomes visible in several steps, where a weaker condition would hold
 * before the others do.
 *
 * @param timeoutMs at least 30,000
 * @throws Error after the limit: what the last assertion threw
 */
export async function eventually(assertion: () => Promise<void> | void, timeoutMs = TIMEOUT_MS): Promise<void> {
  const holds = async (): Promise<true> => {
    await assertion();
    return true;
  };
  const { found, cause } = await repeated(holds, timeoutMs);
  if (!found) throw cause;
}

/** What `work` returns, or `late` as an error if that takes longer. */
export async function within<T>(timeoutMs: number, work: () => Promise<T> | T, late: Error): Promise<T> {
  const running = (async () => work())();
  if (!(await endsWithin(running, timeoutMs))) throw late;
  return running;
}

/** What `check` found in time, or what its last call threw. */
async function repeated<T>(
  check: () => Promise<T> | T,
  timeoutMs: number,
): Promise<{ readonly found?: NonNullable<T> | undefined; readonly cause?: unknown }> {
  if (timeoutMs < MIN_TIMEOUT_MS) throw new Error(`give a condition at least ${MIN_TIMEOUT_MS} ms, not ${timeoutMs}`);
  const startedAt = performance.now();
  const leftMs = (): number => startedAt + timeoutMs - performance.now();
  for (;;) {
    const isLast = leftMs() <= 0;
    let cause: unknown;
    try {
      const found = await within(Math.max(0, leftMs()) + SILENCE_MS, check, new Hopeless('the check never ended'));
      if (found) return { found };
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      cause = error;
    }
    if (isLast) return { cause };
    const interval = Math.min(Math.max((performance.now() - startedAt) / 10, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
    await new Promise((resolve) => setOwnTimeout(resolve, interval));
  }
}
