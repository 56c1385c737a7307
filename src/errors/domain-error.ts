import { ERROR_CATALOG, type ErrorCode, type ErrorFormat } from './error-catalog.js';

export interface DomainErrorOptions {
  /** Body format; `detail` only for a free-form send’s window and phone, and for the content of new templates. */
  readonly format?: ErrorFormat;
  /** Response headers, e.g. `Retry-After` or `X-Message-Id`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying error; logged, never shown. */
  readonly cause?: unknown;
}

/**
 * An error that is reported to the caller. Services throw it; only `error.filter.ts` turns it into a response.
 * The message is written for the caller: it names the field, the limit and the value.
 */
export class DomainError extends Error {
  readonly format: ErrorFormat;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.format = options.format ?? 'standard';
    this.headers = options.headers ?? {};
  }

  /** HTTP status of the response. */
  get status(): number {
    return ERROR_CATALOG[this.code].status;
  }
}

/** 400 `bad_request`. */
export const badRequest = (message: string): DomainError => new DomainError('bad_request', message);

/** 403 `forbidden`. */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** 404 `not_found`; also for another account's records, so that their existence does not leak. */
export const notFound = (message: string): DomainError => new DomainError('not_found', message);

/** 409 `conflict`. */
export const conflict = (message: string): DomainError => new DomainError('conflict', message);

/** 422 in the standard format: button rules of free-form sends and a missing `user_id`. */
export const unprocessable = (message: string): DomainError => new DomainError('unprocessable_entity', message);

/** 422 `{detail}`: every rule of template creation. */
export const templateRuleBroken = (detail: string): DomainError =>
  new DomainError('unprocessable_entity', detail, { format: 'detail' });

/** 403 `{detail}`: free-form sends outside the service window or from another account's phone. */
export const freeFormForbidden = (detail: string): DomainError =>
  new DomainError('forbidden', detail, { format: 'detail' });
