/**
 * Waits for `work`, but no longer than `timeoutMs`. Rejects if `work` rejects in time; a later rejection is ignored.
 *
 * @returns whether `work` finished in time
 */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
