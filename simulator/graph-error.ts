import { randomBytes } from 'node:crypto';

/** The title of each error code, and its HTTP status if not 400. */
const CATALOG: Record<number, readonly [title: string, status?: number]> = {
  1: ['An unknown error occurred', 500],
  2: ['Service temporarily unavailable', 503],
  4: ['Application request limit reached'],
  10: ['Permission denied', 403],
  100: ['Invalid parameter'],
  190: ['Access token has expired', 401],
  368: ['Temporarily blocked for policies violations', 403],
  80007: ['Rate limit issues'],
  130429: ['Rate limit hit'],
  130472: ["User's number is part of an experiment"],
  131000: ['Something went wrong', 500],
  131005: ['Access denied', 403],
  131008: ['Required parameter is missing'],
  131009: ['Parameter value is not valid'],
  131016: ['Service unavailable', 500],
  131021: ['Recipient cannot be sender'],
  131026: ['Message undeliverable'],
  131030: ['Recipient phone number not in allowed list'],
  131031: ['Business Account locked', 403],
  131042: ['Business eligibility payment issue'],
  131047: ['Re-engagement message'],
  131048: ['Spam rate limit hit'],
  131049: ['This message was not delivered to maintain healthy ecosystem engagement.'],
  131050: ['User has stopped receiving marketing messages'],
  131051: ['Unsupported message type'],
  131056: ['(Business Account, Consumer Account) pair rate limit hit'],
  131057: ['Business Account is in maintenance mode', 500],
  131062: ['Business-scoped User ID (BSUID) recipients are not supported for this message'],
  132000: ['Number of parameters does not match the expected number of params'],
  132001: ['Template name does not exist in the translation', 404],
  132005: ['Translated text too long'],
  132007: ['Template format character policy violated'],
  132012: ['Parameter format does not match format in the created template'],
  132015: ['Template is paused'],
  132016: ['Template is disabled'],
  132018: ['Invalid template parameters'],
  133004: ['Server Temporarily Unavailable', 503],
  133010: ['Phone number not registered'],
};

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
