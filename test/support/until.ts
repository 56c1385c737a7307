/** How long a condition may take by default before the test fails. */
const TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 15;

/**
 * Waits until `check` returns a truthy value, and returns it.
 *
 * @param what names the condition in the error message
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
}
