import type { Database, Tx } from '../database/unit-of-work.js';
import { mapInSlices, pause } from '../runtime/slices.js';
import { PHONE_WAITS } from '../sending/slots/phone-wait.queries.js';
import { MAX_LEAD } from '../sending/slots/throughput.queries.js';
import { Campaign, type CampaignOrigin, type CampaignStatus } from './campaign.entity.js';
import type { CampaignRecipient } from './campaign-recipient.entity.js';
import { campaignNotFound } from './campaigns.errors.js';

/** A recipient of a new campaign. */
export type NewRecipient = Readonly<Pick<CampaignRecipient, 'contactId' | 'personal' | 'code'>>;

/** Stores the recipients of a new campaign, in sending order, with one statement. Its values are written in slices. */
export async function insertRecipients(
  accountId: string,
  campaignId: string,
  recipients: readonly NewRecipient[],
  tx: Tx,
): Promise<void> {
  const personal = await mapInSlices(recipients, ({ personal }) =>
    personal === null ? null : JSON.stringify(personal),
  );
  await pause();
  await tx.affected(
    `INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position, personal, code)
     SELECT $1, $2, r.contact_id, r.place - 1, r.personal::jsonb, r.code
     FROM unnest($3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS r (contact_id, personal, code, place)`,
    [accountId, campaignId, recipients.map(({ contactId }) => contactId), personal, recipients.map(({ code }) => code)],
  );
}

/** The campaign itself. @throws DomainError 404 */
export async function requireCampaign(accountId: string, campaignId: string, db: Database): Promise<Campaign> {
  const campaign = await db.manager.findOneBy(Campaign, { accountId, id: campaignId });
  if (campaign === null) throw campaignNotFound(campaignId);
  return campaign;
}

/** The account a campaign belongs to. For operator commands only, which name a campaign without its account. */
export async function findAccountOfCampaign(campaignId: string, db: Database): Promise<string | null> {
  const row = await db.row<Pick<Campaign, 'accountId'>>('SELECT account_id FROM campaigns WHERE id = $1', [campaignId]);
  return row?.accountId ?? null;
}

/** How a campaign starts. */
export interface CampaignStart {
  readonly from: 'draft' | 'scheduled';
  /** On whose behalf; null: at its scheduled time. */
  readonly by: string | null;
  readonly source: CampaignOrigin;
  /** Credits per recipient, fixed from now on. */
  readonly price: number;
}

/**
 * Starts a campaign if it is still in the status `from`, so that only one of two concurrent callers wins.
 *
 * @returns false when another caller was faster
 */
export async function startCampaign(
  accountId: string,
  campaignId: string,
  { from, by, source, price }: CampaignStart,
  tx: Tx,
): Promise<boolean> {
  const started = await tx.affected(
    `UPDATE campaigns
     SET status = 'running', runs = runs + 1, price = $4, failure_reason = NULL, started_by = $5, started_source = $6
     WHERE account_id = $1 AND id = $2 AND status = $3`,
    [accountId, campaignId, from, price, by, source],
  );
  return started === 1;
}

/**
 * Completes a running campaign that has no pending recipients and no batch under lease. Callers run it after committing
 * outcomes, so the last one to commit sees that nothing is left.
 *
 * The `ctid` check requires the campaign row of this statement's snapshot. While the statement waits for the row lock,
 * the campaign may be completed and restarted, with pending recipients that this snapshot does not see; then nothing
 * must be updated.
 */
export function completeCampaign(accountId: string, campaignId: string, db: Database): Promise<number> {
  return db.affected(
    `UPDATE campaigns g
     SET status = 'completed', paused = false, completed_at = now(), started_at = coalesce(started_at, now())
     WHERE g.account_id = $1 AND g.id = $2 AND g.status = 'running'
       AND g.ctid = (SELECT ctid FROM campaigns WHERE account_id = $1 AND id = $2)
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = $1 AND f.campaign_id = $2 AND f.lease_until IS NOT NULL)`,
    [accountId, campaignId],
  );
}

/** Conditions for stopping a campaign; when one does not hold, nothing happens. */
export interface StopConditions {
  /** Statuses from which it may be stopped. */
  readonly from: readonly CampaignStatus[];
  /** The run to stop; null: any. */
  readonly run: number | null;
}

/** Marks a campaign as failed and stores the reason. */
export function failCampaign(
  accountId: string,
  campaignId: string,
  reason: string,
  { from, run }: StopConditions,
  db: Database,
): Promise<number> {
  return db.affected(
    `UPDATE campaigns SET status = 'failed', paused = false, failure_reason = $3, completed_at = now()
     WHERE account_id = $1 AND id = $2 AND status = ANY ($4::text[]) AND ($5::integer IS NULL OR runs = $5)`,
    [accountId, campaignId, reason, from, run],
  );
}

/** Condition: campaign `g` may send now. */
export const MAY_SEND = `g.status = 'running' AND NOT g.paused
                       AND (g.opens_at IS NULL OR g.opens_at <= now()) AND (g.closes_at IS NULL OR g.closes_at > now())`;

const SCHEDULED = `campaigns WHERE status = 'scheduled' AND scheduled_at <= now() ORDER BY scheduled_at, id`;
/** A look: whether any scheduled campaign is due. */
export const SCHEDULED_CAMPAIGN = `SELECT true FROM ${SCHEDULED} LIMIT 1`;

/** Scheduled campaigns that are due, the longest overdue first. Pipeline statement, all tenants. */
export function findScheduledCampaigns(db: Database): Promise<{ accountId: string; id: string }[]> {
  return db.rows(`SELECT account_id, id FROM ${SCHEDULED}`);
}

const FINISHED = `campaigns g
     WHERE g.status = 'running'
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = g.account_id AND f.campaign_id = g.id AND f.lease_until IS NOT NULL)`;
/** A look: whether a worker has died with a lease, or a campaign has nothing left to do. */
export const LEFT_BEHIND = `SELECT coalesce(
       (SELECT true FROM sends_in_flight WHERE lease_until < now() ORDER BY lease_until LIMIT 1),
       (SELECT true FROM ${FINISHED} ORDER BY g.account_id, g.id LIMIT 1))`;

/** Running campaigns with nothing left to do, as a crash may leave them. All tenants. */
export function findFinishedCampaigns(db: Database): Promise<{ accountId: string; id: string }[]> {
  return db.rows(`SELECT g.account_id, g.id FROM ${FINISHED}`);
}

/** Cancels a campaign unless it has ended. */
export function cancelCampaign(accountId: string, campaignId: string, db: Database): Promise<number> {
  return db.affected(
    `UPDATE campaigns SET status = 'cancelled', paused = false, completed_at = now()
     WHERE account_id = $1 AND id = $2 AND status IN ('draft', 'scheduled', 'running')`,
    [accountId, campaignId],
  );
}

/** Pauses a running campaign on somebody's behalf: no more recipients are claimed. */
export function pauseCampaign(
  accountId: string,
  campaignId: string,
  { by, source }: Pick<CampaignStart, 'by' | 'source'>,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = true, paused_at = now(), paused_by = $3, paused_source = $4
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND NOT paused`,
    [accountId, campaignId, by, source],
  );
}

/** Resumes a paused campaign; failures before now no longer count toward its limit. */
export function unpauseCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = false, failure_reason = NULL, judged_from = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND paused`,
    [accountId, campaignId],
  );
}

const HAS_DUE_RECIPIENTS = `EXISTS (SELECT FROM campaign_recipients r
                   WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending'
                     AND (r.due_at IS NULL OR r.due_at <= now()))`;
/** A look: whether any campaign that may send has recipients due, whoever sends it. */
export const DUE_CAMPAIGN = `SELECT true FROM campaigns g
     WHERE ${MAY_SEND} AND NOT ${PHONE_WAITS} AND ${HAS_DUE_RECIPIENTS} ORDER BY g.account_id, g.id LIMIT 1`;

/**
 * Running campaigns with recipients due now, except those whose phone another process is sending from. All tenants.
 *
 * @param process the calling process
 * @param active campaigns it is sending already
 */
export function findDueCampaigns(
  process: string,
  active: readonly string[],
  db: Database,
): Promise<{ accountId: string; id: string }[]> {
  return db.rows(
    `SELECT g.account_id, g.id
     FROM campaigns g
     LEFT JOIN phone_throughput t ON t.account_id = g.account_id AND t.business_phone_id = g.business_phone_id
     WHERE ${MAY_SEND} AND NOT EXISTS (SELECT FROM unnest($2::uuid[]) AS active (id) WHERE active.id = g.id)
       AND (t.owner IS NULL OR t.owner = $1
            OR t.owned_until NOT BETWEEN clock_timestamp() AND clock_timestamp() + ${MAX_LEAD})
       AND NOT ${PHONE_WAITS}
       AND ${HAS_DUE_RECIPIENTS}`,
    [process, active],
  );
}

/**
 * Restarts a campaign that has ended. It stays closed until its next opening is planned.
 *
 * @param price credits per recipient, used only if the campaign never sent anything; otherwise it keeps its price
 * @returns null when its status is not one of `from`
 */
export function restartCampaign(
  accountId: string,
  campaignId: string,
  from: readonly CampaignStatus[],
  price: number,
  tx: Tx,
): Promise<Pick<Campaign, 'price'> | null> {
  return tx.row(
    `UPDATE campaigns
     SET status = 'running', runs = runs + 1, completed_at = NULL, failure_reason = NULL, judged_from = now(), closes_at = now(),
         price = CASE WHEN started_at IS NULL THEN $4 ELSE price END
     WHERE account_id = $1 AND id = $2 AND status = ANY ($3::text[])
     RETURNING price`,
    [accountId, campaignId, from, price],
  );
}
