import type { IncomingMessage } from 'node:http';
import { newRecordId } from '../values/record-id.js';

/** The request ids that we accept from callers. Any other is replaced. */
const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's `X-Request-Id` if it is acceptable, else a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : newRecordId();
}
