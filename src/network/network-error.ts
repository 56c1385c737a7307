import { classOf, type ErrorClass } from './error-classes.js';

/** An error object from the network. */
export interface Refusal {
  readonly code: number;
  readonly subcode: number | null;
  /** The network's own text, details included. */
  readonly message: string;
  /** `Retry-After` in milliseconds, or null. */
  readonly retryAfterMs: number | null;
}

/** The network refused the request. */
export class NetworkRefusal extends Error implements Refusal {
  readonly code: number;
  readonly subcode: number | null;
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'NetworkRefusal';
    this.code = refusal.code;
    this.subcode = refusal.subcode;
    this.retryAfterMs = refusal.retryAfterMs;
  }

  get errorClass(): ErrorClass {
    return classOf(this.code);
  }
}

/** The request was never sent, so the network did nothing. */
export class NetworkUnreachable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NetworkUnreachable';
  }
}

/** The network may have carried out the request: the answer was lost or unusable. */
export class NetworkOutcomeUnknown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NetworkOutcomeUnknown';
  }
}
