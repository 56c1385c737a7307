/**
 * How long a condition may take by default before the test fails. A busy machine may need tens of seconds for what takes
 * one on a quiet machine; only a condition that never holds costs the whole time.
 */
const TIMEOUT_MS = 90_000;
const CHECK_INTERVAL_MS = 15;
/** How long a check may take beyond the limit. */
const SILENCE_MS = 30_000;

/**
 * Waits until `check` returns a truthy value, and returns it. The last check begins after the limit, so a promise such
 * as “requests see the change within a second” is tested by requests, however long each of them takes. One that never
 * settles is not waited for much longer.
 *
 * @param what names the condition in the error message
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const startedAt = performance.now();
  const late = new Error(`timed out after ${timeoutMs} ms waiting until ${what}`);
  for (;;) {
    const checkedAt = performance.now();
    const result = await within(timeoutMs + SILENCE_MS, check, new Error(`${late.message}: the check never ended`));
    if (result) return result;
    if (checkedAt - startedAt > timeoutMs) throw late;
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
}

/** What `work` returns, or `late` as an error if that takes longer. */
export async function within<T>(timeoutMs: number, work: () => Promise<T> | T, late: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), timeoutMs);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
