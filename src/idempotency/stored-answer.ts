import type { ErrorResponse } from '../http/error-response.js';

/** The answer of a key, replayed byte for byte. */
export interface Answer {
  readonly status: number;
  /** Headers of the outcome, such as `X-Message-Id`, not of a single request, such as rate limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as sent. */
  readonly body: string;
}

/** An answer as it is stored. The fields of its body that are stored {@link apart} are null. */
export interface StoredAnswer extends Answer {
  /** What was asked. Absent in answers from earlier releases. */
  readonly request?: AnsweredRequest;
  /**
   * Names of the body's fields that are marked as shown once and stored in a column of their own. Absent in answers from
   * earlier releases, whose body is whole.
   */
  readonly apart?: readonly string[];
}

/** The request that an answer belongs to, without query and trailing slash. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
}

/** The values of an answer's fields that are stored apart. */
export type ShownOnceValues = Readonly<Record<string, unknown>>;

/** The header of every replayed answer. */
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' };

/** Transient outcomes: the next request may succeed. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Fields in which earlier releases stored a key or a secret together with the rest of a body. */
const ONCE_WHOLE: ReadonlySet<string> = new Set(['key', 'secret']);

/** Whether an outcome is stored for later requests with the same key. */
export const isKept = (status: number): boolean => !TRANSIENT.has(status) && (status < 500 || status === 504);

/** Converts an error response into the stored form. */
export const storedError = ({ status, headers, body }: ErrorResponse): Answer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** Converts a stored error into the replayed response. */
export const replayedError = ({ status, headers, body }: Answer): ErrorResponse => ({
  status,
  headers: { ...headers, ...REPLAYED },
  body: JSON.parse(body) as ErrorResponse['body'],
});

/** Takes the values of marked fields out of an answer. */
export function takenApart(
  answer: StoredAnswer,
  marked: readonly string[],
): { readonly answer: StoredAnswer; readonly shownOnce: ShownOnceValues | null } {
  if (marked.length === 0) return { answer: { ...answer, apart: [] }, shownOnce: null };
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  const values = Object.entries(body).filter(([name]) => marked.includes(name));
  const apart = values.map(([name]) => name);
  const emptied = { ...body, ...Object.fromEntries(apart.map((name) => [name, null])) };
  return {
    answer: { ...answer, body: JSON.stringify(emptied), apart },
    shownOnce: apart.length === 0 ? null : Object.fromEntries(values),
  };
}

/** Puts values that were stored apart back into a body, for the caller who was shown them first. */
export const putBack = (body: string, values: ShownOnceValues): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), ...values });

/** The body of an answer as others than its caller may read it. */
export function readableBody({ body, apart }: StoredAnswer): unknown {
  const value = JSON.parse(body) as unknown;
  if (apart !== undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ONCE_WHOLE.has(name)));
}
