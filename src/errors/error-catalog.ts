/** Shape of an error body: `{error, message}` or `{detail}`. */
export type ErrorFormat = 'standard' | 'detail';

interface CatalogEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** When a caller gets it, in one sentence, for `docs/errors.md`. */
  readonly when: string;
}

/**
 * Every error that the API returns: code, HTTP status and when it occurs. `docs/errors.md` is generated from this
 * table.
 */
export const ERROR_CATALOG = {
  bad_request: {
    status: 400,
    when: 'A field is missing, mistyped or too long, or the state of a record forbids the action.',
  },
  network_rejected: { status: 400, when: 'The messaging network refused the message; `message` says why.' },
  contact_opted_out: { status: 400, when: 'A MARKETING template was sent to a contact who has opted out.' },
  unauthorized: { status: 401, when: 'The API key is missing, malformed, unknown, expired or revoked.' },
  forbidden: {
    status: 403,
    when: 'The API key lacks the required scope, or the business phone does not belong to the account.',
  },
  account_suspended: { status: 403, when: 'The account is suspended and read-only.' },
  not_found: {
    status: 404,
    when: 'The route does not exist, does not accept the method (`Allow` lists those it does), or this account has no such record.',
  },
  request_timeout: { status: 408, when: 'The request body did not arrive in time; the connection is closed.' },
  conflict: {
    status: 409,
    when: 'A record with the same unique value exists, or the same request is still in progress.',
  },
  payload_too_large: { status: 413, when: 'The request body is larger than the route accepts.' },
  unsupported_media_type: { status: 415, when: 'The route does not accept the content type of the request body.' },
  unprocessable_entity: {
    status: 422,
    when: 'The fields are well-formed, but their values or their combination break a rule.',
  },
  rate_limited: {
    status: 429,
    when: 'The API key has used up its requests for the last 60 seconds, or too many requests from this IP address failed to authenticate in that time. Retry after `Retry-After` seconds.',
  },
  internal_error: { status: 500, when: 'A bug in Parley; look up the request id in the logs.' },
  network_unavailable: {
    status: 503,
    when: 'The messaging network could not be reached; the message was not sent.',
  },
  network_timeout: {
    status: 504,
    when: 'The network’s response was lost: the message may have been sent, and a status report will settle it.',
  },
  unavailable: {
    status: 503,
    when: 'The database, or something else that the request needs, was not available in time; nothing was sent. Retry after `Retry-After` seconds.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** An error code: the `error` field of the standard body. */
export type ErrorCode = keyof typeof ERROR_CATALOG;

/** Parley's own message error codes start here; the network's are lower. */
export const MIN_OWN_ERROR_CODE = 900_000;

/** Values of a message's `error_code` that come from Parley rather than the network. */
export const MESSAGE_ERRORS = {
  optedOut: { code: 900001, message: 'The contact has opted out of marketing messages.' },
  outcomeUnknown: {
    code: 900002,
    message: 'The network never said whether it accepted the message, so it was not sent again.',
  },
  networkUnavailable: { code: 900003, message: 'The network could not be reached; the message was not sent.' },
  retriesExhausted: { code: 900004, message: 'The network kept asking to retry later; the message was not sent.' },
  cancelled: { code: 900005, message: 'The campaign was cancelled before this message was sent.' },
  valueMissing: {
    code: 900006,
    message: 'A variable of the message has no value for this contact, or one that cannot be sent.',
  },
} as const;
