import { classOf, type ErrorClass } from './network-codes.js';

/** An error object from the network. */
export interface Refusal {
  readonly code: number;
  readonly subcode: number | null;
  /** The network's own text, details included. */
  readonly message: string;
  /** `Retry-After` in milliseconds, or null. */
  readonly retryAfterMs: number | null;
  /** Whether the network says that the error will pass. */
  readonly isTransient: boolean;
}

/** The network refused the request. */
export class NetworkRefusal extends Error implements Refusal {
  readonly code: number;
  readonly subcode: number | null;
  readonly retryAfterMs: number | null;
  readonly isTransient: boolean;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'NetworkRefusal';
    this.code = refusal.code;
    this.subcode = refusal.subcode;
    this.retryAfterMs = refusal.retryAfterMs;
    this.isTransient = refusal.isTransient;
  }

  get errorClass(): ErrorClass {
    return classOf(this);
  }

  /** The same refusal with another text. */
  reworded(change: (text: string) => string): NetworkRefusal {
    const { code, subcode, retryAfterMs, isTransient } = this;
    return new NetworkRefusal({ code, subcode, retryAfterMs, isTransient, message: change(this.message) });
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
