import type { IncomingMessage } from 'node:http';
import { maskIdentifiers } from '../values/person-identifiers.js';
import { newRecordId } from '../values/record-id.js';

/** The characters of request ids that we accept from callers. */
const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The caller's `X-Request-Id` if it is acceptable, else a new id. One that may identify a person is replaced too, because
 * every line of the log and the audit log have the request id.
 */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) && maskIdentifiers(given) === given ? given : newRecordId();
}
