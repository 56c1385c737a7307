import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { accountGone, accountSuspended, phoneGone, phoneRestricted } from '../lifecycle/campaign-stop.js';
import type { DispatchSource } from './dispatch-source.queries.js';

/**
 * The phone of a campaign, if its account may send from it.
 *
 * @throws CampaignStop
 */
export function campaignPhone({ campaign, accountStatus, phone }: DispatchSource): BusinessPhone {
  if (accountStatus === null) throw accountGone(campaign.accountId);
  if (accountStatus !== 'active') throw accountSuspended();
  if (phone === null) throw phoneGone(campaign.businessPhoneId);
  if (phone.restriction !== null) throw phoneRestricted(phone, phone.restriction);
  return phone;
}
