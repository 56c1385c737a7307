import type { IncomingMessage } from 'node:http';
import { newRecordId } from '../values/record-id.js';

/** What a caller's own request id may look like; anything else is replaced. */
const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's `X-Request-Id` if it is sane, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : newRecordId();
}
