import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work`, and retries it while it fails with a retryable error.
 *
 * @param isRetryable such as `isTransient` or `isConflict`
 * @param maxTries including the first one
 * @param pauseMs waits between tries for a random time of up to so many milliseconds times the number of tries, so that
 *   those who compete for the same rows do not meet again; 0 retries immediately
 * @throws the error of the last try
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  isRetryable: (error: unknown) => boolean,
  maxTries: number,
  pauseMs = 0,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isRetryable(error)) throw error;
      if (pauseMs > 0) await wait(Math.random() * pauseMs * tries);
    }
  }
}
