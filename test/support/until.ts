/** How long a condition may take to come true before the test fails, milliseconds. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 15;

/**
 * Waits until `look` answers something truthy and answers that; never sleeps longer than it must.
 *
 * @param what names the condition in the failure
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > giveUpAt) throw new Error(`waited ${patienceMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
