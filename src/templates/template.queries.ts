import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Paged } from '../values/page.js';
import type { NetworkComponent, NewTemplate, StoredButton, StoredCard, StoredOffer, Template } from './template.js';
import type { NetworkState } from './template-state.js';

/** A template as stored. */
export interface TemplateRow {
  readonly account_id: string;
  readonly id: string;
  readonly waba_id: string;
  readonly business_phone_id: string;
  readonly meta_template_id: string;
  readonly name: string;
  readonly language: string;
  readonly category: Template['category'];
  readonly status: Template['status'];
  readonly network_status: string;
  readonly rejection_reason: string | null;
  readonly parameter_format: Template['parameterFormat'];
  readonly header_format: Template['headerFormat'];
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly StoredButton[];
  readonly components: readonly NetworkComponent[];
  readonly carousel_cards: readonly StoredCard[] | null;
  readonly limited_time_offer: StoredOffer | null;
  readonly offer_code: string | null;
  readonly media_url: string | null;
  readonly variable_count: number;
  readonly requires_media: boolean;
  readonly is_carousel: boolean;
  readonly message_send_ttl_seconds: number | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const COLUMNS = `account_id, id, waba_id, business_phone_id, meta_template_id, name, language, category, status,
            network_status, rejection_reason, parameter_format, header_format, body, footer, buttons, components,
            carousel_cards, limited_time_offer, offer_code, media_url, variable_count, requires_media, is_carousel,
            message_send_ttl_seconds, created_at, updated_at`;

/**
 * Templates to write, as a table out of one JSON parameter instead of an array per column. Column names are those of
 * {@link rowOf}.
 *
 * @param parameter as in `$2`
 */
export const incoming = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS incoming (id uuid, waba_id text, business_phone_id uuid,
            meta_template_id text, name text, language text, category text, status text, network_status text,
            rejection_reason text, parameter_format text, header_format text, body text, footer text, buttons jsonb,
            components jsonb, carousel_cards jsonb, limited_time_offer jsonb, offer_code text, media_url text,
            variable_count integer, requires_media boolean, is_carousel boolean, message_send_ttl_seconds integer)`;

/**
 * Stores {@link incoming} templates of the account `$1`; what becomes of a name in use is left to the caller.
 *
 * @param where which of them
 */
export const insertIncoming = (parameter: string, where = 'true'): string =>
  `INSERT INTO templates (account_id, id, waba_id, business_phone_id, meta_template_id, name,
            language, category, status, network_status, rejection_reason, parameter_format, header_format, body, footer,
            buttons, components, carousel_cards, limited_time_offer, offer_code, media_url, variable_count,
            requires_media, is_carousel, message_send_ttl_seconds)
     SELECT $1, id, waba_id, business_phone_id, meta_template_id, name, language, category, status, network_status,
            rejection_reason, parameter_format, header_format, body, footer, buttons, components, carousel_cards,
            limited_time_offer, offer_code, media_url, variable_count, requires_media, is_carousel,
            message_send_ttl_seconds
     FROM ${incoming(parameter)}
     WHERE ${where}
     ON CONFLICT (account_id, waba_id, name, language) WHERE deleted_at IS NULL`;

/** Brings stored templates of the account `$1` to what {@link incoming} says, unless they changed here since `before`. */
export const updateIncoming = (parameter: string, before: string): string =>
  `UPDATE templates t
     SET meta_template_id = incoming.meta_template_id, category = incoming.category, status = incoming.status,
         network_status = incoming.network_status, rejection_reason = incoming.rejection_reason,
         parameter_format = incoming.parameter_format, header_format = incoming.header_format, body = incoming.body,
         footer = incoming.footer, buttons = incoming.buttons, components = incoming.components,
         carousel_cards = incoming.carousel_cards, limited_time_offer = incoming.limited_time_offer,
         offer_code = incoming.offer_code, media_url = incoming.media_url, variable_count = incoming.variable_count,
         requires_media = incoming.requires_media, is_carousel = incoming.is_carousel,
         message_send_ttl_seconds = incoming.message_send_ttl_seconds, updated_at = now()
     FROM ${incoming(parameter)}
     WHERE t.account_id = $1 AND t.id = incoming.id AND t.deleted_at IS NULL AND t.updated_at < ${before}`;

/**
 * Stores a template that the network has accepted. A sync that found it first is no obstacle: its row is completed and
 * keeps its id. Null when the name belongs to another template (D26).
 */
export async function insertTemplate(accountId: string, template: NewTemplate, tx: Tx): Promise<string | null> {
  const row = await tx.row<{ id: string }>(
    `${insertIncoming('$2')}
     DO UPDATE SET business_phone_id = EXCLUDED.business_phone_id, carousel_cards = EXCLUDED.carousel_cards,
            offer_code = EXCLUDED.offer_code, media_url = EXCLUDED.media_url
     WHERE templates.meta_template_id = EXCLUDED.meta_template_id
     RETURNING id`,
    [accountId, JSON.stringify([rowOf(template)])],
  );
  return row?.id ?? null;
}

/** Whether the business account has a template of this name and language. */
export async function isNameTaken(
  accountId: string,
  wabaId: string,
  name: string,
  language: string,
  tx: Tx,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT 1 FROM templates
     WHERE account_id = $1 AND waba_id = $2 AND name = $3 AND language = $4 AND deleted_at IS NULL`,
    [accountId, wabaId, name, language],
  );
  return row !== null;
}

/** One template by id. */
export async function findTemplate(accountId: string, id: string, tx: Tx): Promise<Template | null> {
  const row = await tx.row<TemplateRow>(
    `SELECT ${COLUMNS} FROM templates WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [accountId, id],
  );
  return row && templateOf(row);
}

/** All templates of a name, in every language and business account of the account. */
export async function findTemplatesByName(accountId: string, name: string, tx: Tx): Promise<Template[]> {
  const rows = await tx.rows<TemplateRow>(
    `SELECT ${COLUMNS} FROM templates
     WHERE account_id = $1 AND name = $2 AND deleted_at IS NULL
     ORDER BY language, waba_id`,
    [accountId, name],
  );
  return rows.map(templateOf);
}

/** Which templates a list shows (D22); null filters nothing. */
export interface TemplateFilter {
  readonly status: string | null;
  readonly category: string | null;
  readonly language: string | null;
  /** Any part of the name. */
  readonly search: string | null;
  readonly page: number;
  /** Null for all. */
  readonly limit: number | null;
}

const FILTER = `account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR status = $2)
            AND ($3::text IS NULL OR category = $3) AND ($4::text IS NULL OR language = $4)
            AND ($5::text IS NULL OR strpos(name, lower($5)) > 0)`;

/** The account's templates, newest first, and how many match in all. */
export async function listTemplates(accountId: string, filter: TemplateFilter, tx: Tx): Promise<Paged<Template>> {
  const { status, category, language, search, page, limit } = filter;
  const matching = [accountId, status, category, language, search];
  // Without a limit there is one page, and nothing beyond it.
  const offset = limit === null ? (page === 1 ? 0 : null) : offsetOf({ page, limit });
  const rows =
    offset === null
      ? []
      : await tx.rows<TemplateRow>(
          `SELECT ${COLUMNS} FROM templates WHERE ${FILTER} ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7`,
          [...matching, limit, offset],
        );
  const counted = await tx.row<{ total: number }>(`SELECT count(*) AS total FROM templates WHERE ${FILTER}`, matching);
  return { rows: rows.map(templateOf), total: counted?.total ?? 0 };
}

/** Marks a template as deleted; how many there were. */
export function deleteTemplate(accountId: string, id: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE templates SET deleted_at = now(), updated_at = now() WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [accountId, id],
  );
}

/** What a template was before its state changed. */
export interface FormerState {
  readonly waba_id: string;
  readonly network_status: string;
}

/** Records a reported state; null when there is no such template, or when it is in that state already. */
export function updateState(
  accountId: string,
  metaTemplateId: string,
  state: NetworkState,
  tx: Tx,
): Promise<FormerState | null> {
  return tx.row<FormerState>(
    `UPDATE templates SET status = $3, network_status = $4, rejection_reason = $5, updated_at = now()
     WHERE account_id = $1 AND meta_template_id = $2 AND deleted_at IS NULL
       AND (network_status, rejection_reason) IS DISTINCT FROM ($4, $5)
     RETURNING waba_id, OLD.network_status`,
    [accountId, metaTemplateId, state.status, state.networkStatus, state.rejectionReason],
  );
}

/** Records what a refused send revealed about a template that could be sent until now. */
export function withdrawTemplate(accountId: string, id: string, state: NetworkState, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE templates SET status = $3, network_status = $4, rejection_reason = $5, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND status = 'APPROVED'`,
    [accountId, id, state.status, state.networkStatus, state.rejectionReason],
  );
}

/** A template as {@link incoming} reads it. */
export const rowOf = (template: NewTemplate): Omit<TemplateRow, 'account_id' | 'created_at' | 'updated_at'> => ({
  id: template.id,
  waba_id: template.wabaId,
  business_phone_id: template.businessPhoneId,
  meta_template_id: template.metaTemplateId,
  name: template.name,
  language: template.language,
  category: template.category,
  status: template.status,
  network_status: template.networkStatus,
  rejection_reason: template.rejectionReason,
  parameter_format: template.parameterFormat,
  header_format: template.headerFormat,
  body: template.body,
  footer: template.footer,
  buttons: template.buttons,
  components: template.components,
  carousel_cards: template.carouselCards,
  limited_time_offer: template.limitedTimeOffer,
  offer_code: template.offerCode,
  media_url: template.mediaUrl,
  variable_count: template.variableCount,
  requires_media: template.requiresMedia,
  is_carousel: template.isCarousel,
  message_send_ttl_seconds: template.messageSendTtlSeconds,
});

export const templateOf = (row: TemplateRow): Template => ({
  accountId: row.account_id,
  id: row.id,
  wabaId: row.waba_id,
  businessPhoneId: row.business_phone_id,
  metaTemplateId: row.meta_template_id,
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
  networkStatus: row.network_status,
  rejectionReason: row.rejection_reason,
  parameterFormat: row.parameter_format,
  headerFormat: row.header_format,
  body: row.body,
  footer: row.footer,
  buttons: row.buttons,
  components: row.components,
  carouselCards: row.carousel_cards,
  limitedTimeOffer: row.limited_time_offer,
  offerCode: row.offer_code,
  mediaUrl: row.media_url,
  variableCount: row.variable_count,
  requiresMedia: row.requires_media,
  isCarousel: row.is_carousel,
  messageSendTtlSeconds: row.message_send_ttl_seconds,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
