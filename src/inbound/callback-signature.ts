import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';

/** The header in which the network signs a callback: `sha256=<hex>`. */
export const SIGNATURE_HEADER = 'x-hub-signature-256';
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Whether `header` is the signature of these bytes under the app's secret. */
export function signatureMatches(bytes: Buffer, header: string | undefined, appSecret: string): boolean {
  const found = SIGNATURE.exec(header ?? '')?.[1];
  if (found === undefined) return false;
  return timingSafeEqual(createHmac('sha256', appSecret).update(bytes).digest(), Buffer.from(found, 'hex'));
}

/**
 * Rejects a callback whose signature header is missing or malformed, before its body is read.
 *
 * @throws DomainError `unauthorized`
 */
export function rejectUnsigned(header: string | string[] | undefined): void {
  if (typeof header === 'string' && SIGNATURE.test(header)) return;
  throw new DomainError('unauthorized', 'the callback must carry X-Hub-Signature-256: sha256=<64 hex digits>');
}
