/**
 * The database cannot be had right now: it does not answer, or too many wait for it. Nothing is known about the effect of a
 * statement that was on its way; the same work may be tried again later. The message is in plain words, for callers.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailable';
  }
}
