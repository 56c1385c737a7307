/**
 * Does `work`, and again when it fails for a reason that another try may overcome.
 *
 * @param when whether that is so, such as `isPassing` or `isConflict`
 * @throws what the last try threw
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  when: (error: unknown) => boolean,
  maxTries: number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !when(error)) throw error;
    }
  }
}
