import { classOf, type ErrorClass } from './error-classes.js';

/** What the network's error object says. */
export interface Refusal {
  readonly code: number;
  readonly subcode: number | null;
  /** In the network's words, details included. */
  readonly message: string;
  /** Milliseconds that the answer asked to wait, or null. */
  readonly retryAfterMs: number | null;
}

/** The network answered that it did not do what was asked. */
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

/** No byte of the request left: the network provably did nothing. */
export class NetworkUnreachable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NetworkUnreachable';
  }
}

/** The request may have been carried out: its answer was lost, or was no answer of the network. */
export class NetworkOutcomeUnknown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NetworkOutcomeUnknown';
  }
}
