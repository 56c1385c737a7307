import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../../network/network-error.js';

/**
 * Runs `work` with one phone after another until it succeeds. Each phone has its own token, and any of them can manage
 * the templates of their business account. If the network is down, slow or busy, another phone would not help; if the
 * outcome is unknown, repeating the work is not safe.
 *
 * @param phones at least one, all of the same business account
 * @throws the error of the first phone
 */
export async function withAnyPhone<Result>(
  phones: readonly BusinessPhone[],
  work: (phone: BusinessPhone) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  for (const phone of phones) {
    try {
      return await work(phone);
    } catch (error) {
      failures.push(error);
      if (!isPhoneSpecific(error)) break;
    }
  }
  throw failures[0];
}

/** Whether another phone may work: the token was refused or cannot be decrypted. */
const isPhoneSpecific = (error: unknown): boolean =>
  error instanceof NetworkRefusal
    ? error.errorClass !== 'retry'
    : !(error instanceof NetworkUnreachable || error instanceof NetworkOutcomeUnknown);
