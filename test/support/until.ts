/**
 * How long a condition may take by default before the test fails. A busy machine may need tens of seconds for what takes
 * one on a quiet machine; only a condition that never holds costs the whole time.
 */
const TIMEOUT_MS = 90_000;
const CHECK_INTERVAL_MS = 15;

/**
 * Waits until `check` returns a truthy value, and returns it. The last check begins after the limit, so a promise such
 * as “requests see the change within a second” is tested by requests, however long each of them takes.
 *
 * @param what names the condition in the error message
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const checkedAt = performance.now();
    const result = await check();
    if (result) return result;
    if (checkedAt - startedAt > timeoutMs) throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
}
