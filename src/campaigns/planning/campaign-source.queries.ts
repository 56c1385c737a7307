import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { inForce, type StoredRestrictions } from '../../accounts/restrictions.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import type { Template } from '../../templates/template.entity.js';
import { findTemplatesOf } from '../../templates/template.queries.js';
import type { TemplateUser } from '../../templates/template-users.js';
import { now } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import type { Campaign } from '../campaign.entity.js';
import type { CampaignRecipient } from '../campaign-recipient.entity.js';

/** Identifies a campaign within its tenant. */
export interface CampaignKey {
  readonly accountId: string;
  readonly campaignId: string;
}

/** The stored records that decide whether a campaign can be sent. */
export interface CampaignSource {
  readonly campaign: Campaign;
  /** Null: the account was deleted. */
  readonly accountStatus: string | null;
  /** Null: the account no longer has it. */
  readonly phone: BusinessPhone | null;
  /** Whether the phone waits, because the network keeps failing its messages. */
  readonly isPhoneWaiting: boolean;
  /** Null: it was deleted. */
  readonly template: Template | null;
}

type PhoneRow = Omit<BusinessPhone, 'restrictions'> & {
  readonly accountStatus: string;
  readonly isWaiting: boolean;
  /** Null: there is no such phone. */
  readonly restrictions: StoredRestrictions | null;
};

/**
 * Reads campaigns with their accounts, phones and templates; omits campaigns that do not exist. Pipeline statement:
 * each key names its tenant.
 */
export async function findCampaignSources(keys: readonly CampaignKey[], db: Database): Promise<CampaignSource[]> {
  const parameters = [keys.map(({ accountId }) => accountId), keys.map(({ campaignId }) => campaignId)];
  const campaigns = await db.rows<Campaign>(
    `SELECT g.* FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
     JOIN campaigns g ON g.account_id = k.account_id AND g.id = k.id`,
    parameters,
  );
  const phones = await db.rows<PhoneRow>(
    `SELECT a.id AS account_id, a.status AS account_status, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            p.is_primary, p.quality, p.app_id, b.restrictions,
            EXISTS (SELECT FROM phone_waits w
                    WHERE w.account_id = k.account_id AND w.business_phone_id = k.phone_id) AS is_waiting
     FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, phone_id)
     JOIN accounts a ON a.id = k.account_id
     LEFT JOIN (business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id)
       ON p.account_id = k.account_id AND p.id = k.phone_id AND p.removed_at IS NULL`,
    [campaigns.map(({ accountId }) => accountId), campaigns.map(({ businessPhoneId }) => businessPhoneId)],
  );
  const templates = await findTemplatesOf(campaigns, db);
  const at = now();
  const phoneOf = new Map(
    phones.map(({ restrictions, ...phone }) => [
      `${phone.accountId}/${phone.id}`,
      { ...phone, restrictions: inForce(restrictions ?? {}, at) },
    ]),
  );
  const statusOf = new Map(phones.map(({ accountId, accountStatus }) => [accountId, accountStatus]));
  const templateOf = new Map(templates.map((template) => [`${template.accountId}/${template.id}`, template]));
  return campaigns.map((campaign) => ({
    campaign,
    accountStatus: statusOf.get(campaign.accountId) ?? null,
    phone: phoneOf.get(`${campaign.accountId}/${campaign.businessPhoneId}`) ?? null,
    isPhoneWaiting: phoneOf.get(`${campaign.accountId}/${campaign.businessPhoneId}`)?.isWaiting ?? false,
    template: templateOf.get(`${campaign.accountId}/${campaign.templateId}`) ?? null,
  }));
}

/** The codes of pending recipients, one for each encryption key in use. */
export function findCodePerKey(
  accountId: string,
  campaignId: string,
  db: Database,
): Promise<Pick<CampaignRecipient, 'position' | 'code'>[]> {
  return db.rows(
    `SELECT DISTINCT ON (split_part(code, '.', 2)) position, code FROM campaign_recipients
     WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND code IS NOT NULL
     ORDER BY split_part(code, '.', 2), position`,
    [accountId, campaignId],
  );
}

/** Scheduled and running campaigns with a template, also paused ones, the oldest first. */
export function findUsersOfTemplate(
  accountId: string,
  templateId: string,
  limit: number,
  tx: Tx,
): Promise<TemplateUser[]> {
  return tx.rows(
    `SELECT id, name FROM campaigns
     WHERE account_id = $1 AND template_id = $2 AND status IN ('scheduled', 'running')
     ORDER BY id LIMIT $3`,
    [accountId, templateId, limit],
  );
}

/** Those of some uploaded files that a campaign which has not ended uses. */
export async function findUsedUploads(
  accountId: string,
  fileIds: readonly RecordId[],
  db: Database,
): Promise<ReadonlySet<RecordId>> {
  const rows = await db.rows<{ fileId: RecordId }>(
    `SELECT f.id AS file_id FROM unnest($2::text[]) AS f (id)
     WHERE EXISTS (
       SELECT FROM campaigns
       WHERE account_id = $1 AND status IN ('draft', 'scheduled', 'running')
         AND (content ->> 'mediaId' = f.id
              OR content @> jsonb_build_object('carouselData', jsonb_build_array(jsonb_build_object('mediaId', f.id)))))`,
    [accountId, fileIds],
  );
  return new Set(rows.map(({ fileId }) => fileId));
}

/** Scheduled and running campaigns of a phone, also paused ones, the oldest first. */
export function findUsersOfPhone(
  accountId: string,
  phoneId: string,
  limit: number,
  tx: Tx,
): Promise<Pick<Campaign, 'id' | 'name'>[]> {
  return tx.rows(
    `SELECT id, name FROM campaigns
     WHERE account_id = $1 AND business_phone_id = $2 AND status IN ('scheduled', 'running')
     ORDER BY id LIMIT $3`,
    [accountId, phoneId, limit],
  );
}
