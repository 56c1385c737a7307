import type { ErrorCode } from '../errors/error-catalog.js';

/** The body of every error that does not use the `{detail}` format. */
export interface StandardErrorBody {
  error: ErrorCode;
  message: string;
}

/** An error as it is sent over the wire. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StandardErrorBody | { detail: string };
}

/** A stored error response, replayed unchanged. */
export class ReplayedError extends Error {
  constructor(readonly response: ErrorResponse) {
    super('the request already failed with a stored error');
    this.name = 'ReplayedError';
  }
}
