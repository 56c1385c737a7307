import type { ErrorCode } from '../errors/error-catalog.js';

/** The body of every error that is not `{detail}`. */
export interface StandardErrorBody {
  error: ErrorCode;
  message: string;
}

/** An error as it goes over the wire. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StandardErrorBody | { detail: string };
}

/** A stored error, answered again unchanged. */
export class AnsweredError extends Error {
  constructor(readonly response: ErrorResponse) {
    super('the request was refused before');
    this.name = 'AnsweredError';
  }
}
