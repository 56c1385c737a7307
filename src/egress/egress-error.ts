/** Why an outgoing request got no usable response. */
export type EgressFailure =
  | 'bad_url'
  | 'forbidden_address'
  | 'forbidden_port'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'cancelled'
  | 'reset'
  | 'bad_answer'
  | 'unknown_encoding'
  | 'bad_encoding'
  | 'too_large'
  | 'too_many_redirects';

/**
 * A customer's URL that was refused, or that did not respond. `message` is a predicate that follows a field's name
 * (`media_url leads to an address that is not public`). It never contains an address that the customer did not provide,
 * so that nobody can use it to map our network.
 */
export class EgressError extends Error {
  constructor(
    readonly kind: EgressFailure,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'EgressError';
  }

  /** The same failure, after a redirect. */
  afterRedirect(): EgressError {
    return new EgressError(this.kind, `redirects to a URL that ${this.message}`, this.cause);
  }
}

/** The failure of a request whose time is over. @param stage what had not happened by then; it had no answer by default */
export const tooLate = (timeoutMs: number, stage = 'did not answer'): EgressError =>
  new EgressError('timeout', `${stage} within ${timeoutMs / 1000} s`);

/** Of a response whose status and headers have arrived. */
export const NOT_FINISHED = 'did not finish its response';

/** What somebody says who speaks another protocol, or says nothing that can be read. */
export const NO_ANSWER = 'did not send an HTTP response';

interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
}

const CONNECT_CODES = new Map([
  ['ECONNREFUSED', 'refused the connection'],
  ['UND_ERR_CONNECT_TIMEOUT', 'did not accept the connection in time'],
  ['ETIMEDOUT', 'did not accept the connection in time'],
]);
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/;
/** The parser says so of a response that ends too early. */
const RESET_CODES =
  /^(UND_ERR_(SOCKET|DESTROYED|CLOSED|RES_CONTENT_LENGTH_MISMATCH)|ECONNRESET|EPIPE|ECONNABORTED|HPE_INVALID_EOF_STATE)$/;
/** `ERR_ASSERTION`: undici asserts that a status is at least 100. */
const BAD_ANSWER_CODES = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_INFO|ERR_ASSERTION$)/;
/** Bugs in our own request, or no socket, file descriptor, buffer or port left on this machine. */
const OUR_CODES = /^(UND_ERR_INVALID_|ERR_INVALID_|(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL)$)/;

/** Translates an error of the socket, TLS or the HTTP parser into plain words; a fault of ours is returned unchanged. */
export function egressFailureOf(error: unknown): unknown {
  if (error instanceof EgressError) return error;
  const { name, code, errors } = error as Fault;
  // Several addresses were tried: report the first error.
  if (errors?.[0] !== undefined) return egressFailureOf(errors[0]);
  if (RESET_CODES.test(String(code)))
    return new EgressError('reset', 'closed the connection before it responded', error);
  const badAnswer = name === 'HTTPParserError' || BAD_ANSWER_CODES.test(String(code));
  if (badAnswer) return new EgressError('bad_answer', NO_ANSWER, error);
  if (typeof code !== 'string' || OUR_CODES.test(code)) return error;
  const words = CONNECT_CODES.get(code);
  if (words !== undefined) return new EgressError('connect', words, error);
  if (TLS_CODES.test(code)) return new EgressError('tls', `failed the TLS handshake (${code})`, error);
  return new EgressError('connect', 'could not be reached', error);
}
