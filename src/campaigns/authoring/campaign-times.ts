import { badRequest } from '../../errors/domain-error.js';

/** @throws DomainError 400 when the deadline has passed */
export function checkDeadline(sendBefore: Date | null, at: Date): void {
  if (sendBefore !== null && sendBefore <= at) {
    throw badRequest(`send_before must be in the future (got ${sendBefore.toISOString()})`);
  }
}
