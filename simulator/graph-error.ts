import { randomBytes } from 'node:crypto';

/** The title of each error code, and its HTTP status if not 400. */
const CATALOG: Record<number, readonly [title: string, status?: number]> = {
  0: ['Unable to authenticate the app user', 401],
  1: ['An unknown error occurred', 500],
  2: ['Service temporarily unavailable', 503],
  3: ['The app cannot make this API call', 403],
  4: ['Application request limit reached'],
  10: ['Permission denied', 403],
  100: ['Invalid parameter'],
  190: ['Access token has expired', 401],
  200: ['Permissions error', 403],
  368: ['Temporarily blocked for policies violations', 403],
  80007: ['Rate limit issues'],
  80008: ['There have been too many calls to this account'],
  130403: ['The business has blocked this user'],
  130429: ['Rate limit hit'],
  130472: ["User's number is part of an experiment"],
  130497: ['Business account is restricted from messaging users in this country.', 403],
  131000: ['Something went wrong', 500],
  131005: ['Access denied', 403],
  131008: ['Required parameter is missing'],
  131009: ['Parameter value is not valid'],
  131016: ['Service unavailable', 500],
  131021: ['Recipient cannot be sender'],
  131026: ['Message undeliverable'],
  131030: ['Recipient phone number not in allowed list'],
  131031: ['Business Account locked', 403],
  131037: ['Display name of the phone number is not approved'],
  131042: ['Business eligibility payment issue'],
  131045: ['Incorrect certificate', 500],
  131047: ['Re-engagement message'],
  131048: ['Spam rate limit hit'],
  131049: ['This message was not delivered to maintain healthy ecosystem engagement.'],
  131050: ['User has stopped receiving marketing messages'],
  131051: ['Unsupported message type'],
  131052: ['Media download error'],
  131053: ['Media upload error'],
  131055: ['Method not allowed'],
  131056: ['(Business Account, Consumer Account) pair rate limit hit'],
  131057: ['Business Account is in maintenance mode', 500],
  131059: ['Invalid cursor'],
  131062: ['Business-scoped User ID (BSUID) recipients are not supported for this message'],
  131063: ['Marketing templates are not supported on Cloud API for this account'],
  131064: ['Utility template messaging limit reached'],
  132000: ['Number of parameters does not match the expected number of params'],
  132001: ['Template name does not exist in the translation', 404],
  132005: ['Translated text too long'],
  132007: ['Template format character policy violated'],
  132012: ['Parameter format does not match format in the created template'],
  132015: ['Template is paused'],
  132016: ['Template is disabled'],
  132018: ['Invalid template parameters'],
  132068: ['Flow is blocked'],
  132069: ['Flow is throttled'],
  133004: ['Server Temporarily Unavailable', 503],
  133005: ['Two step verification PIN Mismatch'],
  133010: ['Phone number not registered'],
  133015: ['Please wait a few minutes before attempting to register this phone number'],
  133016: ['Account register or deregister rate limit exceeded'],
  134100: ['Only marketing messages are supported'],
  134101: ['Template is still syncing'],
  134102: ['Template is unavailable for use'],
  135000: ['Generic user error'],
  137000: ['Recipient identity has changed'],
};

/** What the network says about failures that it reports later. */
const LATE_DETAILS: Record<number, string> = {
  130472: "Failed to send message because this user's phone number is part of an experiment",
  131026: 'Message Undeliverable. Reasons can include that the recipient is not on the network.',
  131042: 'Message failed to send because there were one or more errors related to your payment method.',
  131049: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  131050: 'Unable to deliver the message. This recipient has chosen to stop receiving marketing messages.',
  131053: 'Unable to use the media: its type is not supported, or differs from the one under which it is served.',
  132015: 'This template is paused due to low quality, so it cannot be sent in a template message.',
  135000: 'Message failed to send because of a review of the business portfolio.',
};

export const detailsOf = (code: number): string => LATE_DETAILS[code] ?? titleOf(code);

export const titleOf = (code: number): string => CATALOG[code]?.[0] ?? 'Something went wrong';

interface ErrorExtras {
  subcode?: number;
  /** HTTP status, if it differs from the code's usual one. */
  status?: number;
  /** Seconds for the `Retry-After` header. */
  retryAfter?: number;
  message?: string;
}

/** An error in the network's own wording; clients branch on `code`. */
export class GraphError extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
    private readonly extras: ErrorExtras = {},
  ) {
    super(extras.message ?? `(#${code}) ${titleOf(code)}`);
  }

  /** The id matches no registered phone, account, template or media object. */
  static unknownObject(id: string): GraphError {
    const reason = `Object with ID '${id}' does not exist, cannot be loaded due to missing permissions`;
    return new GraphError(100, `${reason}, or does not support this operation`, { subcode: 33 });
  }

  /** A required parameter is missing. */
  static missing(name: string): GraphError {
    const sentence = `The parameter ${name} is required.`;
    return new GraphError(100, sentence, { message: `(#100) ${sentence}` });
  }

  static invalid(details: string): GraphError {
    return new GraphError(131009, details);
  }

  get status(): number {
    return this.extras.status ?? CATALOG[this.code]?.[1] ?? 400;
  }

  get headers(): Record<string, string> {
    return this.extras.retryAfter === undefined ? {} : { 'retry-after': String(this.extras.retryAfter) };
  }

  body(): object {
    return {
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.code,
        ...(this.extras.subcode === undefined ? {} : { error_subcode: this.extras.subcode }),
        error_data: { messaging_product: 'whatsapp', details: this.details },
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    };
  }
}
