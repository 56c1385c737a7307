import type { Tx } from '../database/unit-of-work.js';
import type { NewTemplate, Template } from './template.js';
import { COLUMNS, INCOMING, INSERT_INCOMING, rowOf, type TemplateRow, templateOf } from './template.queries.js';

/**
 * The database's time, by which the age of rows is judged: ISO 8601 with microseconds, which a Date would cut off.
 */
export async function databaseTime(tx: Tx): Promise<string> {
  const row = await tx.row<{ at: string }>("SELECT to_json(now()) #>> '{}' AS at");
  if (row === null) throw new Error('the database did not tell the time');
  return row.at;
}

/** Lets one sync at a time write the templates of a business account; new templates are not held up. */
export async function lockBusinessAccount(accountId: string, wabaId: string, tx: Tx): Promise<void> {
  await tx.row('SELECT 1 FROM business_accounts WHERE account_id = $1 AND waba_id = $2 FOR NO KEY UPDATE', [
    accountId,
    wabaId,
  ]);
}

/** Every template of one business account. */
export async function findTemplatesOfBusiness(accountId: string, wabaId: string, tx: Tx): Promise<Template[]> {
  const rows = await tx.rows<TemplateRow>(
    `SELECT ${COLUMNS} FROM templates WHERE account_id = $1 AND waba_id = $2 AND deleted_at IS NULL ORDER BY id`,
    [accountId, wabaId],
  );
  return rows.map(templateOf);
}

/** The templates that the network knows under these ids. */
export async function findTemplatesByMetaId(
  accountId: string,
  metaTemplateIds: readonly string[],
  tx: Tx,
): Promise<Template[]> {
  const rows = await tx.rows<TemplateRow>(
    `SELECT ${COLUMNS} FROM templates WHERE account_id = $1 AND meta_template_id = ANY ($2) AND deleted_at IS NULL`,
    [accountId, metaTemplateIds],
  );
  return rows.map(templateOf);
}

/** The network's ids of templates of a business account that wait for a decision. */
export async function findPendingMetaIds(accountId: string, wabaId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ meta_template_id: string }>(
    `SELECT meta_template_id FROM templates
     WHERE account_id = $1 AND waba_id = $2 AND status = 'PENDING' AND deleted_at IS NULL`,
    [accountId, wabaId],
  );
  return rows.map(({ meta_template_id }) => meta_template_id);
}

/** Stores templates found upstream; one that a caller has made meanwhile is left alone. How many were new. */
export function insertFoundTemplates(accountId: string, templates: readonly NewTemplate[], tx: Tx): Promise<number> {
  if (templates.length === 0) return Promise.resolve(0);
  return tx.affected(`${INSERT_INCOMING} DO NOTHING`, [accountId, JSON.stringify(templates.map(rowOf))]);
}

/**
 * Brings stored templates up to date, unless they changed here after `before`: such a change is newer than what was
 * read from the network. How many were written.
 */
export function updateFoundTemplates(
  accountId: string,
  templates: readonly NewTemplate[],
  before: string,
  tx: Tx,
): Promise<number> {
  if (templates.length === 0) return Promise.resolve(0);
  return tx.affected(
    `UPDATE templates t
     SET meta_template_id = incoming.meta_template_id, category = incoming.category, status = incoming.status,
         network_status = incoming.network_status, rejection_reason = incoming.rejection_reason,
         parameter_format = incoming.parameter_format, header_format = incoming.header_format, body = incoming.body,
         footer = incoming.footer, buttons = incoming.buttons, components = incoming.components,
         carousel_cards = incoming.carousel_cards, limited_time_offer = incoming.limited_time_offer,
         offer_code = incoming.offer_code, media_url = incoming.media_url, variable_count = incoming.variable_count,
         requires_media = incoming.requires_media, is_carousel = incoming.is_carousel,
         message_send_ttl_seconds = incoming.message_send_ttl_seconds, updated_at = now()
     FROM ${INCOMING}
     WHERE t.account_id = $1 AND t.id = incoming.id AND t.deleted_at IS NULL AND t.updated_at < $3`,
    [accountId, JSON.stringify(templates.map(rowOf)), before],
  );
}

/** Marks templates as deleted that the network no longer has. How many there were. */
export function deleteVanishedTemplates(
  accountId: string,
  ids: readonly string[],
  before: string,
  tx: Tx,
): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return tx.affected(
    `UPDATE templates SET deleted_at = now(), updated_at = now()
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL AND updated_at < $3`,
    [accountId, ids, before],
  );
}

/**
 * Takes the right to ask the network about pending templates: of all callers on all processes, one in `seconds` gets it
 * for each business account that has any (D22).
 */
export async function claimReviewLooks(accountId: string, seconds: number, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ waba_id: string }>(
    `INSERT INTO template_reviews (account_id, waba_id, looked_at)
     SELECT DISTINCT account_id, waba_id, now() FROM templates
     WHERE account_id = $1 AND status = 'PENDING' AND deleted_at IS NULL
     ON CONFLICT (account_id, waba_id) DO UPDATE SET looked_at = EXCLUDED.looked_at
     WHERE template_reviews.looked_at < now() - make_interval(secs => $2)
     RETURNING waba_id`,
    [accountId, seconds],
  );
  return rows.map(({ waba_id }) => waba_id);
}
