import { RESTRICTION_IN_FORCE } from '../../accounts/business-phone.queries.js';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { Template } from '../../templates/template.entity.js';
import { findTemplatesOf } from '../../templates/template.queries.js';
import type { Campaign } from '../campaign.entity.js';

/** Identifies a campaign within its tenant. */
export interface CampaignKey {
  readonly accountId: string;
  readonly campaignId: string;
}

/** The stored records that decide whether a campaign can be sent. */
export interface DispatchSource {
  readonly campaign: Campaign;
  /** Null: the account was deleted. */
  readonly accountStatus: string | null;
  /** Null: the account no longer has it. */
  readonly phone: BusinessPhone | null;
  /** Null: it was deleted. */
  readonly template: Template | null;
}

type PhoneRow = BusinessPhone & { readonly accountStatus: string };

/**
 * Reads campaigns with their accounts, phones and templates; omits campaigns that do not exist. Pipeline statement:
 * each key names its tenant.
 */
export async function findDispatchSources(keys: readonly CampaignKey[], tx: Tx): Promise<DispatchSource[]> {
  const parameters = [keys.map(({ accountId }) => accountId), keys.map(({ campaignId }) => campaignId)];
  const campaigns = await tx.rows<Campaign>(
    `SELECT g.* FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
     JOIN campaigns g ON g.account_id = k.account_id AND g.id = k.id`,
    parameters,
  );
  const phones = await tx.rows<PhoneRow>(
    `SELECT a.id AS account_id, a.status AS account_status, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            p.is_primary, p.quality, ${RESTRICTION_IN_FORCE} AS restriction
     FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, phone_id)
     JOIN accounts a ON a.id = k.account_id
     LEFT JOIN (business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id)
       ON p.account_id = k.account_id AND p.id = k.phone_id`,
    [campaigns.map(({ accountId }) => accountId), campaigns.map(({ businessPhoneId }) => businessPhoneId)],
  );
  const templates = await findTemplatesOf(campaigns, tx);
  const phoneOf = new Map(phones.map((phone) => [`${phone.accountId}/${phone.id}`, phone]));
  const statusOf = new Map(phones.map(({ accountId, accountStatus }) => [accountId, accountStatus]));
  const templateOf = new Map(templates.map((template) => [`${template.accountId}/${template.id}`, template]));
  return campaigns.map((campaign) => ({
    campaign,
    accountStatus: statusOf.get(campaign.accountId) ?? null,
    phone: phoneOf.get(`${campaign.accountId}/${campaign.businessPhoneId}`) ?? null,
    template: templateOf.get(`${campaign.accountId}/${campaign.templateId}`) ?? null,
  }));
}
