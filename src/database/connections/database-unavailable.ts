/**
 * The database is unavailable right now: it does not respond, or too many callers are waiting for it. The outcome of a
 * statement in flight is unknown; the same work may be retried later. The message may be shown to API callers.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailable';
  }
}
