import type {
  BusinessPhoneRecord,
  CampaignRecord,
  FailureRecord,
  RetryFailedRequest,
  TemplateRecord,
} from '../../../clients/typescript/src/generated/schema.js';
import { parley } from '../../data/api.js';
import type { Campaign, PeoplePage, Progress } from './campaign-types.js';
import { filterKey, type PeopleFilter } from './people-filter.js';

export type { Campaign };

/** Rows of a page of people. */
export const PAGE_SIZE = 25;
/** Phones and templates that are looked through for those of a campaign. */
const MAX_LISTED = 100;

export const readCampaign = async (id: string, signal?: AbortSignal): Promise<Campaign> =>
  (await parley.campaigns.get(id, { signal })).campaign;

export const readFailures = async (id: string, signal: AbortSignal): Promise<readonly FailureRecord[]> =>
  (await parley.campaigns.listFailures(id, { signal })).failures;

export const readProgress = async (id: string, signal: AbortSignal): Promise<Progress> =>
  parley.campaigns.showProgress(id, { signal });

export async function readPeople(id: string, filter: PeopleFilter, signal: AbortSignal): Promise<PeoplePage> {
  const { status, reached, errorCode, search, order, page } = filter;
  const query = {
    page,
    limit: PAGE_SIZE,
    ...(status !== null && { status }),
    ...(reached !== null && { reached }),
    ...(errorCode !== null && { error_code: errorCode }),
    ...(search !== null && { search }),
    ...(order !== null && { order }),
  };
  const { recipients, total, counts } = await parley.campaigns.listRecipients(id, query, { signal });
  return { recipients, total, counts, key: filterKey(filter) };
}

/** How many people wait. */
export async function countWaiting(id: string, signal: AbortSignal): Promise<number> {
  const { total } = await parley.campaigns.listRecipients(id, { status: 'pending', limit: 1 }, { signal });
  return total;
}

/**
 * By when most people who read the campaign had done so.
 *
 * @returns null when nobody has
 */
export async function readMostRead(id: string, signal: AbortSignal): Promise<string | null> {
  const query = { reached: 'read', order: 'last_activity', limit: 1 } as const;
  const { total } = await parley.campaigns.listRecipients(id, { reached: 'read', limit: 1 }, { signal });
  const page = Math.floor(total * LATEST_SHARE) + 1;
  const { recipients } = await parley.campaigns.listRecipients(id, { ...query, page }, { signal });
  const [one] = recipients;
  if (one === undefined) return null;
  const times = [one.read_at, one.clicked_at, one.replied_at].filter((at) => at !== null);
  return times.sort().at(-1) ?? null;
}

/** The share of readers who may have read later. */
const LATEST_SHARE = 0.1;

/** The phone that a campaign is sent from; null when it is no longer the account’s. */
export async function readPhone(phoneId: string, signal: AbortSignal): Promise<BusinessPhoneRecord | null> {
  const { business_phones } = await parley.businessPhones.list({ limit: MAX_LISTED }, { signal });
  return business_phones.find(({ waba_phone_id }) => waba_phone_id === phoneId) ?? null;
}

/** The template of a campaign; null when it is gone. */
export async function readTemplate(
  { name, language, phoneId }: { name: string; language: string; phoneId: string },
  signal: AbortSignal,
): Promise<TemplateRecord | null> {
  const { templates } = await parley.templates.list({ search: name, language, limit: MAX_LISTED }, { signal });
  const named = templates.filter((one) => one.name === name && one.language === language);
  return named.find(({ waba_phone_id }) => waba_phone_id === phoneId) ?? named[0] ?? null;
}

/** What can be done with a campaign. */
export type Action = 'send' | 'pause' | 'resume' | 'cancel' | 'retryFailed';

/**
 * One attempt, under a key by which a repeated one does nothing twice.
 *
 * @returns the campaign as it is afterwards; null when that could not be read, though the action took effect
 */
export async function act(
  id: string,
  action: Action,
  idempotencyKey: string,
  body: RetryFailedRequest = {},
): Promise<CampaignRecord | null> {
  const options = { idempotencyKey, maxRetries: 0 };
  if (action === 'retryFailed') return (await parley.campaigns.retryFailed(id, body, options)).campaign;
  if (action === 'send') {
    await parley.campaigns.send(id, options);
    return readCampaign(id).catch(() => null);
  }
  return (await parley.campaigns[action](id, options)).campaign;
}

/** Where a browser downloads all people of a campaign. */
export const downloadOf = (id: string, account: string): string =>
  `/api/v1/campaigns/${encodeURIComponent(id)}/recipients.csv?account=${encodeURIComponent(account)}`;
