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
  marketing_closed: {
    status: 400,
    when: 'A MARKETING template was sent to a number of the United States, where the network delivers none.',
  },
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
  media_gone: {
    status: 404,
    when: 'The file of a message is not stored (any more): the network no longer had it, it was too large or not what the network announced, its time is over, or it was sent by `media_url`. `message` says why.',
  },
  request_timeout: { status: 408, when: 'The request, or its body, did not arrive in time; the connection is closed.' },
  conflict: {
    status: 409,
    when: 'A record with the same unique value exists, the record is still in use, or the same request is still in progress.',
  },
  payload_too_large: { status: 413, when: 'The request body is larger than the route accepts.' },
  unsupported_media_type: {
    status: 415,
    when: 'The route does not accept the content type of the request body, or the body is compressed or not in UTF-8.',
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The `Range` header asks for bytes beyond the end of the file; `Content-Range` has its size.',
  },
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

/** Values of a message's `error_code` that come from Parley rather than the network, and what to do about each. */
export const MESSAGE_ERRORS = {
  optedOut: {
    code: 900001,
    message: 'The contact has opted out of marketing messages.',
    advice: 'Leave the contact alone, unless they opt in again.',
  },
  outcomeUnknown: {
    code: 900002,
    message: 'The network never said whether it accepted the message, so it was not sent again.',
    advice: 'The person may have got it. Send it in another campaign only if getting it twice does no harm.',
  },
  networkUnavailable: {
    code: 900003,
    message: 'The network could not be reached; the message was not sent.',
    advice: 'Retry the failed recipients once the network can be reached.',
  },
  retriesExhausted: {
    code: 900004,
    message: 'The network kept asking to retry later; the message was not sent.',
    advice: 'Retry the failed recipients later.',
  },
  cancelled: {
    code: 900005,
    message: 'The campaign was cancelled before this message was sent.',
    advice: 'Nothing: the campaign was cancelled, or the contact deleted.',
  },
  valueMissing: {
    code: 900006,
    message: 'A variable of the message has no value for this contact, or one that cannot be sent.',
    advice:
      'Fill in the field of the contact, or give the variable a fallback, and create a campaign for these contacts.',
  },
  marketingClosed: {
    code: 900007,
    message: 'The network delivers no marketing messages to numbers of the United States; the message was not sent.',
    advice: 'Send a UTILITY template, or reach the person in another way. Their credits were returned.',
  },
  neverReported: {
    code: 900008,
    message: 'The network accepted the message, but reported nothing about it for 30 days.',
    advice:
      'The person most likely did not get it. If many fail so, check whether the callbacks of the network arrive at Parley.',
  },
  failedWithoutCode: {
    code: 900009,
    message: 'The network reported that the message failed, and gave no code.',
    advice: 'Look the message up in WhatsApp Manager. `retry-failed` sends to these recipients again.',
  },
} as const;
