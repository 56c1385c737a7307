import type { Tx } from '../../database/unit-of-work.js';
import type { Template } from '../../templates/template.entity.js';
import { now } from '../../values/clock.js';
import type { SentTemplate } from '../campaign.js';

/** Notes how the template of a campaign looks that starts or goes on, unless it looks as before. */
export async function noteSentTemplate(
  accountId: string,
  campaignId: string,
  { category, parameterFormat, offerCode, components }: Template,
  tx: Tx,
): Promise<void> {
  const look = { category, parameterFormat, offerCode, components };
  await tx.affected(
    `UPDATE campaigns
     SET sent_templates = coalesce(sent_templates, '[]') || jsonb_build_array(jsonb_build_object('from', $3::text) || $4)
     WHERE account_id = $1 AND id = $2 AND (sent_templates -> -1) - 'from' IS DISTINCT FROM $4::jsonb`,
    [accountId, campaignId, now().toISOString(), JSON.stringify(look)],
  );
}

/** How a template looked at a time; null when nothing is noted, as for campaigns of earlier releases. */
export function sentTemplateAt(noted: readonly SentTemplate[] | null, at: Date): SentTemplate | null {
  const [first, ...others] = noted ?? [];
  if (first === undefined) return null;
  return others.reduce((known, each) => (new Date(each.from) <= at ? each : known), first);
}
