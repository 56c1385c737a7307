import type { BusinessPhoneRecord } from '../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../data/account.js';
import { parley } from '../../data/api.js';
import { useQuery } from '../../data/query.js';

/** Business phones of an account that are looked through. */
const MAX_PHONES = 100;

export const readPhones = async (signal: AbortSignal): Promise<readonly BusinessPhoneRecord[]> =>
  (await parley.businessPhones.list({ limit: MAX_PHONES }, { signal })).business_phones;

/** The phones from which the account writes. */
export const usePhones = () => useQuery(['business-phones', accountId.value ?? ''], readPhones);
