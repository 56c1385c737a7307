/**
 * Runs `work`, and retries it immediately while it fails with a retryable error.
 *
 * @param isRetryable such as `isTransient` or `isConflict`
 * @param maxTries including the first one
 * @throws the error of the last try
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  isRetryable: (error: unknown) => boolean,
  maxTries: number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isRetryable(error)) throw error;
    }
  }
}
