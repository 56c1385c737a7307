import type { Campaign } from '../campaigns/campaign.entity.js';
import type { CampaignRecipient } from '../campaigns/campaign-recipient.entity.js';
import type { Tx } from '../database/unit-of-work.js';
import { idRange, type RecordId } from '../values/record-id.js';
import type { CodeMaskingRun } from './code-masking-run.entity.js';

/** The text of an AUTHENTICATION template. */
export interface CodeTemplate {
  readonly name: string;
  readonly body: string;
}

/** The texts of all AUTHENTICATION templates that the account has or had. */
export function findCodeTemplates(accountId: string, tx: Tx): Promise<CodeTemplate[]> {
  return tx.rows(`SELECT DISTINCT name, body FROM templates WHERE account_id = $1 AND category = 'AUTHENTICATION'`, [
    accountId,
  ]);
}

/** A message of an AUTHENTICATION template. */
export interface CodeMessage {
  readonly id: RecordId;
  readonly templateName: string;
  readonly content: string;
  readonly errorCode: number | null;
  readonly errorMessage: string | null;
  /** Whether it was created before the run began. */
  readonly isOld: boolean;
}

/** A scanned part of the messages. */
export interface MessageScan {
  readonly lastId: RecordId | null;
  readonly messages: readonly CodeMessage[];
}

/** Scans the next `limit` messages of an account for those of some templates. */
export async function scanMessages(
  { accountId, startedAt, position: after }: Pick<CodeMaskingRun, 'accountId' | 'startedAt' | 'position'>,
  templateNames: readonly string[],
  limit: number,
  tx: Tx,
): Promise<MessageScan> {
  const row = await tx.row<{ lastId: RecordId | null; messages: CodeMessage[] }>(
    `WITH scanned AS MATERIALIZED (
       SELECT id, template_name, content, error_code, error_message, created_at < $5 AS is_old
       FROM messages WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
     )
     SELECT (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS last_id,
            (SELECT coalesce(json_agg(json_build_object('id', id, 'templateName', template_name, 'content', content,
                                                          'errorCode', error_code, 'errorMessage', error_message,
                                                          'isOld', is_old)), '[]')
             FROM scanned WHERE template_name = ANY ($2::text[])) AS messages`,
    [accountId, templateNames, after, limit, startedAt],
  );
  return row ?? { lastId: null, messages: [] };
}

/** The masked texts of a message; `error` is null where it stays as it is. */
export interface MaskedMessage {
  readonly id: RecordId;
  readonly content: string;
  readonly error: string | null;
}

/**
 * Replaces the contents and errors of messages, and the previews of conversations that show them. Messages are locked in the order of
 * their ids, and conversations in contact order, as everywhere.
 */
export async function replaceContents(accountId: string, contents: readonly MaskedMessage[], tx: Tx): Promise<void> {
  const ids = contents.map(({ id }) => id);
  await tx.affected(
    `WITH stale AS MATERIALIZED (
       SELECT m.id, m.contact_id, m.business_phone_id, m.created_at, m.content, f.content AS fresh, f.error
       FROM unnest($2::uuid[], $3::text[], $6::text[]) AS f (id, content, error)
       JOIN messages m ON m.account_id = $1 AND m.id = f.id
       WHERE m.id >= $4 AND m.id <= $5 AND m.content <> ''
       ORDER BY m.id
       FOR UPDATE OF m
     ), shown AS MATERIALIZED (
       SELECT t.contact_id, t.business_phone_id, s.fresh
       FROM stale s
       JOIN conversations t
         ON t.account_id = $1 AND t.contact_id = s.contact_id AND t.business_phone_id = s.business_phone_id
       WHERE t.last_message_at = s.created_at OR t.last_message_preview = s.content
       ORDER BY t.contact_id, t.business_phone_id
       FOR NO KEY UPDATE OF t
     ), conversation AS (
       UPDATE conversations t SET last_message_preview = shown.fresh FROM shown
       WHERE t.account_id = $1 AND t.contact_id = shown.contact_id AND t.business_phone_id = shown.business_phone_id
     )
     UPDATE messages m SET content = stale.fresh, error_message = coalesce(stale.error, m.error_message) FROM stale
     WHERE m.account_id = $1 AND m.id = stale.id AND m.id >= $4 AND m.id <= $5`,
    [accountId, ids, contents.map(({ content }) => content), ...idRange(ids), contents.map(({ error }) => error)],
  );
}

/** Scans the next `limit` events of an account for those about failed messages, by id. */
export async function scanFailureEvents(
  accountId: string,
  after: RecordId,
  limit: number,
  tx: Tx,
): Promise<{ readonly lastId: RecordId | null; readonly failures: readonly RecordId[] }> {
  const row = await tx.row<{ lastId: RecordId | null; failures: RecordId[] }>(
    `WITH scanned AS MATERIALIZED (
       SELECT id, kind FROM events WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
     )
     SELECT (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS last_id,
            ARRAY(SELECT id FROM scanned WHERE kind = 'message.failed' ORDER BY id) AS failures`,
    [accountId, after, limit],
  );
  return row ?? { lastId: null, failures: [] };
}

/** The errors of those messages that are of some templates, by message id. */
export async function errorsOf(
  accountId: string,
  messageIds: readonly string[],
  templateNames: readonly string[],
  tx: Tx,
): Promise<Map<string, string | null>> {
  if (messageIds.length === 0) return new Map();
  const rows = await tx.rows<{ id: string; errorMessage: string | null }>(
    `SELECT id, error_message FROM messages
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND id >= $4 AND id <= $5 AND template_name = ANY ($3::text[])`,
    [accountId, messageIds, templateNames, ...idRange(messageIds)],
  );
  return new Map(rows.map(({ id, errorMessage }) => [id, errorMessage]));
}

/** A campaign whose values still have its codes. */
export type CodeCampaign = Pick<Campaign, 'id' | 'content'> & {
  /** Whether it has ended and nobody is left to send to. */
  readonly hasEnded: boolean;
};

const OF_CODES = `campaigns g JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id
     WHERE g.account_id = $1 AND g.id > $2 AND t.category = 'AUTHENTICATION'`;
const HAS_ENDED = `(g.status IN ('completed', 'cancelled')
        OR g.status = 'failed' AND NOT EXISTS (SELECT FROM campaign_recipients r
                                               WHERE r.account_id = $1 AND r.campaign_id = g.id AND r.state = 'pending'))`;

/**
 * Locks the next campaign after `after` whose values still have its codes.
 *
 * @param endedOnly whether to leave out campaigns that may still send
 */
export function lockCampaignWithCodes(
  accountId: string,
  after: RecordId,
  endedOnly: boolean,
  tx: Tx,
): Promise<CodeCampaign | null> {
  return tx.row<CodeCampaign>(
    `SELECT g.id, g.content, ${HAS_ENDED} AS has_ended FROM ${OF_CODES} AND NOT g.content ? 'code'
       AND (NOT $3 OR ${HAS_ENDED})
     ORDER BY g.id LIMIT 1
     FOR UPDATE OF g`,
    [accountId, after, endedOnly],
  );
}

export async function replaceCampaignContent(
  accountId: string,
  campaignId: RecordId,
  { content, code }: Pick<Campaign, 'content' | 'code'>,
  tx: Tx,
): Promise<void> {
  await tx.affected('UPDATE campaigns SET content = $3, code = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    campaignId,
    JSON.stringify(content),
    code,
  ]);
}

/** A recipient with values of its own. */
export type PersonalRow = Pick<CampaignRecipient, 'contactId' | 'position' | 'personal'>;

/** Locks the recipients of a campaign that have values of their own. */
export function lockPersonalValues(accountId: string, campaignId: RecordId, tx: Tx): Promise<PersonalRow[]> {
  return tx.rows<PersonalRow>(
    `SELECT contact_id, position, personal FROM campaign_recipients
     WHERE account_id = $1 AND campaign_id = $2 AND personal IS NOT NULL
     ORDER BY contact_id FOR UPDATE`,
    [accountId, campaignId],
  );
}

export async function replacePersonalValues(
  accountId: string,
  campaignId: RecordId,
  recipients: readonly Pick<CampaignRecipient, 'contactId' | 'personal' | 'code'>[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r SET personal = n.personal::jsonb, code = n.code
     FROM unnest($3::uuid[], $4::text[], $5::text[]) AS n (contact_id, personal, code)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = n.contact_id`,
    [
      accountId,
      campaignId,
      recipients.map(({ contactId }) => contactId),
      recipients.map(({ personal }) => (personal === null ? null : JSON.stringify(personal))),
      recipients.map(({ code }) => code),
    ],
  );
}

/** The next campaign after `after` whose codes are stored apart; null when there are no more. */
export async function findCampaignOfCodes(accountId: string, after: RecordId, tx: Tx): Promise<RecordId | null> {
  const row = await tx.row<{ id: RecordId }>(
    `SELECT g.id FROM ${OF_CODES} AND g.content ? 'code' ORDER BY g.id LIMIT 1`,
    [accountId, after],
  );
  return row?.id ?? null;
}

/**
 * Empties the values of up to `limit` recipients of a campaign whose codes are stored apart. Those with a reference are of
 * a release that has stored no code among them.
 *
 * @returns how many
 */
export function emptyPersonalValues(accountId: string, campaignId: RecordId, limit: number, tx: Tx): Promise<number> {
  return tx.affected(
    `WITH held AS MATERIALIZED (
       SELECT contact_id FROM campaign_recipients
       WHERE account_id = $1 AND campaign_id = $2 AND personal <> '{}' AND NOT personal ? 'reference'
       ORDER BY contact_id LIMIT $3 FOR UPDATE
     )
     UPDATE campaign_recipients r SET personal = '{}' FROM held
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = held.contact_id`,
    [accountId, campaignId, limit],
  );
}
