import { ParleyError } from '../../clients/typescript/src/parley-error.js';
import { words } from '../words/en.js';

/** A failure as people read it. */
export interface Failure {
  readonly text: string;
  /** By which an operator of Parley finds the request. */
  readonly requestId: string | null;
}

/** From where on an HTTP status is a fault of the service. */
const FIRST_FAULT = 500;

/** What to say about an error of a request, or of loading a part of the page. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ParleyError)) return { text: words.failures.page, requestId: null };
  const { requestId, status, code, detail } = error;
  const said = known(status);
  if (said === null) return { text: detail, requestId };
  return { text: code === null || status === null ? said : words.failures.withCode(said, code), requestId };
}

function known(status: number | null): string | null {
  if (status === null) return words.failures.noAnswer;
  if (status === 403) return words.failures.forbidden;
  if (status === 429) return words.failures.tooMany;
  if (status === 503) return words.failures.busy;
  return status >= FIRST_FAULT ? words.failures.fault : null;
}

/** The network’s answer was lost; the same from a proxy that had no answer of Parley’s. */
const LOST: readonly number[] = [502, 504];

/** Whether nobody knows if a request took effect: it had no answer, or one that says as much. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ParleyError && (error.status === null || LOST.includes(error.status));

/** Whether Parley answered with this status. */
export const hasStatus = (error: unknown, ...statuses: readonly number[]): error is ParleyError =>
  error instanceof ParleyError && error.status !== null && statuses.includes(error.status);
