import type { Database } from '../../database/unit-of-work.js';
import type { CampaignMessage } from '../../messages/history/campaign-looks.js';
import type { Template } from '../../templates/template.entity.js';
import type { RecordId } from '../../values/record-id.js';
import type { Campaign } from '../campaign.entity.js';
import type { PersonalValues } from '../campaign.js';

/** What the messages of a campaign have in common. */
export interface LookSource
  extends Readonly<Pick<Campaign, 'id' | 'content' | 'sentTemplates'>>,
    Readonly<Pick<Template, 'name' | 'category' | 'parameterFormat' | 'offerCode' | 'components'>> {}

/** Campaigns with their templates as they are now, also deleted ones. */
export function findLookSources(
  accountId: string,
  campaignIds: readonly RecordId[],
  db: Database,
): Promise<LookSource[]> {
  return db.rows<LookSource>(
    `SELECT g.id, g.content, g.sent_templates, t.name, t.category, t.parameter_format, t.offer_code, t.components
     FROM campaigns g JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id
     WHERE g.account_id = $1 AND g.id = ANY ($2::uuid[])`,
    [accountId, campaignIds],
  );
}

/**
 * The own values of those recipients of messages that have some, by message id. `OFFSET 0` has each looked up by its key,
 * whatever the planner believes of the table.
 */
export async function findOwnValues(
  accountId: string,
  messages: readonly CampaignMessage[],
  db: Database,
): Promise<ReadonlyMap<RecordId, PersonalValues>> {
  const rows = await db.rows<{ messageId: RecordId; personal: PersonalValues }>(
    `SELECT m.message_id, r.personal
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS m (message_id, campaign_id, contact_id)
     CROSS JOIN LATERAL (
       SELECT personal FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.campaign_id = m.campaign_id AND r.contact_id = m.contact_id OFFSET 0
     ) r
     WHERE r.personal IS NOT NULL`,
    [
      accountId,
      messages.map(({ id }) => id),
      messages.map(({ campaignId }) => campaignId),
      messages.map(({ contactId }) => contactId),
    ],
  );
  return new Map(rows.map(({ messageId, personal }) => [messageId, personal]));
}
