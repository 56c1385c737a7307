import type { Database } from '../../database/unit-of-work.js';
import { answeredAt } from '../../messages/message-status.js';
import type { Campaign } from '../campaign.entity.js';

/** What a stop concerns. */
export type Stopped = 'phone' | 'template' | 'category';

/** The CTE `met`: a message of `$1`, when the network took it, and its template. */
const MET = `WITH met AS (
       SELECT m.business_phone_id, ${answeredAt('m')} AS at, p.waba_id, t.id AS template_id, t.category
       FROM messages m
       JOIN business_phones p ON p.account_id = m.account_id AND p.id = m.business_phone_id
       LEFT JOIN campaigns own ON own.account_id = m.account_id AND own.id = m.campaign_id
       LEFT JOIN LATERAL (
         SELECT CASE WHEN own.id IS NOT NULL OR count(*) = 1 THEN min(n.id::text)::uuid END AS id, min(n.category) AS category
         FROM templates n
         WHERE n.account_id = m.account_id AND n.deleted_at IS NULL
           AND (n.id = own.template_id OR own.id IS NULL AND n.waba_id = p.waba_id AND n.name = m.template_name)
       ) t ON true
       WHERE m.account_id = $1 AND m.id = $2
     )`;

/**
 * The running campaigns that a stop concerns: those of the message's phone, of its template, or of its template's
 * category in the same business account. Only runs that had begun when the network took the message: what was resumed
 * since has been mended. A single message names its template without the language, so it concerns a template only if there is no
 * other of that name.
 */
export function findStoppedCampaigns(
  accountId: string,
  messageId: string,
  stopped: Stopped,
  db: Database,
): Promise<Pick<Campaign, 'accountId' | 'id' | 'runs' | 'templateId'>[]> {
  return db.rows(
    `${MET}
     SELECT g.account_id, g.id, g.runs, g.template_id
     FROM met
     JOIN campaigns g ON g.account_id = $1 AND g.status = 'running'
       AND met.at >= coalesce(g.judged_from, g.started_at)
     JOIN business_phones p ON p.account_id = $1 AND p.id = g.business_phone_id AND p.waba_id = met.waba_id
     JOIN templates t ON t.account_id = $1 AND t.id = g.template_id
     WHERE CASE $3 WHEN 'phone' THEN g.business_phone_id = met.business_phone_id
                   WHEN 'template' THEN t.id = met.template_id
                   ELSE t.category = met.category END`,
    [accountId, messageId, stopped],
  );
}

/**
 * The template of a message that the network refuses because of it; null when there is none, or the network has told its
 * state since.
 */
export async function findRefusedTemplate(accountId: string, messageId: string, db: Database): Promise<string | null> {
  const row = await db.row<{ id: string }>(
    `${MET}
     SELECT t.id FROM met JOIN templates t ON t.account_id = $1 AND t.id = met.template_id
     WHERE t.state_told_at IS NULL OR t.state_told_at <= met.at`,
    [accountId, messageId],
  );
  return row?.id ?? null;
}
