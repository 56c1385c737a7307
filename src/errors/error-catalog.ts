/** How an error body is written: `{error, message}` or `{detail}`. */
export type ErrorFormat = 'standard' | 'detail';

interface CatalogEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** When a caller meets it, in one sentence; `docs/errors.md` lists the same. */
  readonly when: string;
}

/**
 * Every error that Parley answers with: code, HTTP status and occasion.
 * `docs/errors.md` is generated from this table.
 */
export const ERROR_CATALOG = {
  bad_request: {
    status: 400,
    when: 'A field is missing, mistyped or too long, or the state of a record forbids the action.',
  },
  network_rejected: { status: 400, when: 'The messaging network refused the message; `message` says why.' },
  contact_opted_out: { status: 400, when: 'A MARKETING template was addressed to a contact who opted out.' },
  unauthorized: { status: 401, when: 'The API key is missing, malformed, unknown, expired or revoked.' },
  forbidden: { status: 403, when: 'The key lacks the scope, or the business phone is not one of the account’s.' },
  account_suspended: { status: 403, when: 'The account is suspended: it can read, and do nothing else.' },
  not_found: { status: 404, when: 'There is no such route, or no such record in this account.' },
  request_timeout: { status: 408, when: 'The request body did not arrive in time; the connection is closed.' },
  conflict: {
    status: 409,
    when: 'A record with the same unique value exists, or the same request is still in progress.',
  },
  payload_too_large: { status: 413, when: 'The request body is larger than the route accepts.' },
  unsupported_media_type: { status: 415, when: 'The request body is not of a content type that the route accepts.' },
  unprocessable_entity: {
    status: 422,
    when: 'The fields are well-formed but break a rule about what they say together or of one another.',
  },
  rate_limited: {
    status: 429,
    when: 'The key has used up its requests of the last 60 seconds, or its address has failed to authenticate too often in them; wait `Retry-After` seconds.',
  },
  internal_error: { status: 500, when: 'A fault of ours; the request id finds it in the logs.' },
  network_unavailable: {
    status: 503,
    when: 'The messaging network could not be reached, so the message was provably not sent.',
  },
  network_timeout: {
    status: 504,
    when: 'The network’s answer was lost: the message may have been sent, and a status report settles it.',
  },
  unavailable: {
    status: 503,
    when: 'The database, or something else that the request needs, could not be had in time; nothing was sent. Try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** Code of an error, as it stands in `error` of the standard body. */
export type ErrorCode = keyof typeof ERROR_CATALOG;

/** The numbers of the network are lower than this, Parley's own are not. */
export const MIN_OWN_ERROR_CODE = 900_000;

/**
 * Numbers that Parley gives as a message's `error_code`, beside the network's own.
 */
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
