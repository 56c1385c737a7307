import { findAccountStatus } from '../accounts/account.queries.js';
import { findBusinessPhones, type ListedPhone } from '../accounts/business-phone.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { accountGone, accountSuspended, phoneGone, phoneRestricted } from './campaign-stop.js';

/**
 * The phone of a campaign, if its account may send from it. It is read from the tables, not from what this process
 * remembers of them: a campaign is not stopped over news that are a moment old.
 *
 * @throws CampaignStop
 */
export async function findSender(accountId: string, phoneId: string, tx: Tx): Promise<ListedPhone> {
  const status = await findAccountStatus(accountId, tx);
  if (status === null) throw accountGone(accountId);
  if (status !== 'active') throw accountSuspended();
  const phone = (await findBusinessPhones(accountId, tx)).find(({ id }) => id === phoneId);
  if (phone === undefined) throw phoneGone(phoneId);
  if (phone.restriction !== null) throw phoneRestricted(phone, phone.restriction);
  return phone;
}
