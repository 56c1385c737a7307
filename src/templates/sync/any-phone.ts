import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../../network/network-error.js';

/**
 * Does `work` through the first of the phones with which it works: each has a token of its own, and any of them serves
 * for the templates of their business account. A network that is away, slow or busy is so for all of them, and an outcome
 * that is unknown is not risked twice.
 *
 * @param phones at least one; all of one business account
 * @throws what `work` threw with the first phone, when none was any better
 */
export async function throughAnyPhone<Result>(
  phones: readonly BusinessPhone[],
  work: (phone: BusinessPhone) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  for (const phone of phones) {
    try {
      return await work(phone);
    } catch (error) {
      failures.push(error);
      if (!isOwnFault(error)) break;
    }
  }
  throw failures[0];
}

/** Whether another phone may fare better: the token was refused, or cannot be opened. */
const isOwnFault = (error: unknown): boolean =>
  error instanceof NetworkRefusal
    ? error.errorClass !== 'retry'
    : !(error instanceof NetworkUnreachable || error instanceof NetworkOutcomeUnknown);
