/**
 * What a failed attempt means: another one may succeed; the bytes were not what the network had announced, which is
 * believed after some repetitions; or there is nothing to be had.
 */
export type FetchVerdict = 'again' | 'mismatch' | 'gone' | 'too_large' | 'refused';

/** An attempt at a file that failed. `message` continues the sentence “The file was not stored: …”. */
export class FetchFailure extends Error {
  constructor(
    readonly verdict: FetchVerdict,
    message: string,
    /** Milliseconds that the network asks to wait; null: it does not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'FetchFailure';
  }
}
