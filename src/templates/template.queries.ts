import { type FindOptionsWhere, ILike, IsNull } from 'typeorm';
import { snakeCase, snakeCased } from '../database/sql/camel-case.js';
import { containsPattern } from '../database/sql/like-pattern.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Paged } from '../values/page.js';
import type { NetworkState } from './review/template-state.js';
import { type NewTemplate, Template } from './template.entity.js';
import type { TemplateCategory, TemplateStatus } from './template.js';

/** What names a template; a sync never changes it. */
const KEY = ['id', 'wabaId', 'businessPhoneId', 'name', 'language'] as const satisfies (keyof NewTemplate)[];
/** What else is stored of a template. */
const CONTENT = [
  'metaTemplateId',
  'category',
  'status',
  'networkStatus',
  'rejectionReason',
  'parameterFormat',
  'headerFormat',
  'body',
  'footer',
  'buttons',
  'components',
  'carouselCards',
  'limitedTimeOffer',
  'offerCode',
  'mediaUrl',
  'variableCount',
  'requiresMedia',
  'isCarousel',
  'messageSendTtlSeconds',
] as const satisfies (keyof NewTemplate)[];

const COLUMNS = [...KEY, ...CONTENT].map(snakeCase).join(', ');
const CHANGES = CONTENT.map(snakeCase)
  .map((column) => `${column} = incoming.${column}`)
  .join(', ');

/** Templates as the one JSON parameter that {@link insertIncoming} and {@link updateIncoming} read. */
export const incomingJson = (templates: readonly NewTemplate[]): string => JSON.stringify(templates.map(snakeCased));

const incoming = (parameter: string): string =>
  `jsonb_populate_recordset(NULL::templates, ${parameter}::jsonb) AS incoming`;

/**
 * Stores templates of the account `$1`. The caller says what becomes of a name in use.
 *
 * @param parameter as in `$2`, from {@link incomingJson}
 * @param where which of them
 */
export const insertIncoming = (parameter: string, where = 'true'): string =>
  `INSERT INTO templates (account_id, ${COLUMNS})
     SELECT $1, ${COLUMNS} FROM ${incoming(parameter)}
     WHERE ${where}
     ON CONFLICT (account_id, waba_id, name, language) WHERE deleted_at IS NULL`;

/** Brings stored templates of the account `$1` up to date, unless they changed here since `before`. */
export const updateIncoming = (parameter: string, before: string): string =>
  `UPDATE templates t SET ${CHANGES}, updated_at = now()
     FROM ${incoming(parameter)}
     WHERE t.account_id = $1 AND t.id = incoming.id AND t.deleted_at IS NULL AND t.updated_at < ${before}`;

/**
 * Stores a template that the network has accepted. A sync that found it first is no obstacle: its row is completed and
 * keeps its id. Null when the name belongs to another template.
 */
export async function insertTemplate(accountId: string, template: NewTemplate, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<Template, 'id'>>(
    `${insertIncoming('$2')}
     DO UPDATE SET business_phone_id = EXCLUDED.business_phone_id, carousel_cards = EXCLUDED.carousel_cards,
            offer_code = EXCLUDED.offer_code, media_url = EXCLUDED.media_url
     WHERE templates.meta_template_id = EXCLUDED.meta_template_id
     RETURNING id`,
    [accountId, incomingJson([template])],
  );
  return row?.id ?? null;
}

/** Whether the business account has a template of this name and language. */
export function isNameTaken(
  accountId: string,
  wabaId: string,
  name: string,
  language: string,
  tx: Tx,
): Promise<boolean> {
  return tx.manager.existsBy(Template, { accountId, wabaId, name, language, deletedAt: IsNull() });
}

/** One template by id. */
export function findTemplate(accountId: string, id: string, tx: Tx): Promise<Template | null> {
  return tx.manager.findOneBy(Template, { accountId, id, deletedAt: IsNull() });
}

/** Templates by their ids; those that do not exist are left out. Pipeline statement: each id names its tenant. */
export async function findTemplatesOf(
  keys: readonly { readonly accountId: string; readonly templateId: string }[],
  tx: Tx,
): Promise<Template[]> {
  return tx.rows<Template>(
    `SELECT t.* FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
     JOIN templates t ON t.account_id = k.account_id AND t.id = k.id AND t.deleted_at IS NULL`,
    [keys.map(({ accountId }) => accountId), keys.map(({ templateId }) => templateId)],
  );
}

/** All templates of a name, in every language and business account of the account. */
export function findTemplatesByName(accountId: string, name: string, tx: Tx): Promise<Template[]> {
  return tx.manager.find(Template, {
    where: { accountId, name, deletedAt: IsNull() },
    order: { language: 'ASC', wabaId: 'ASC' },
  });
}

/** Which templates a list shows; null filters nothing. */
export interface TemplateFilter {
  readonly status: TemplateStatus | null;
  readonly category: TemplateCategory | null;
  readonly language: string | null;
  /** Any part of the name. */
  readonly search: string | null;
  readonly page: number;
  /** Null for all. */
  readonly limit: number | null;
}

/** The account's templates, newest first, and how many match in all. */
export async function listTemplates(accountId: string, filter: TemplateFilter, tx: Tx): Promise<Paged<Template>> {
  const { status, category, language, search, page, limit } = filter;
  const where: FindOptionsWhere<Template> = {
    accountId,
    deletedAt: IsNull(),
    ...(status !== null && { status }),
    ...(category !== null && { category }),
    ...(language !== null && { language }),
    ...(search !== null && { name: ILike(containsPattern(search)) }),
  };
  // Without a limit there is one page, and nothing beyond it.
  if (limit === null && page > 1) return { rows: [], total: await tx.manager.countBy(Template, where) };
  const paging = limit === null ? {} : { take: limit, skip: offsetOf({ page, limit }) };
  const [rows, total] = await tx.manager.findAndCount(Template, {
    where,
    order: { createdAt: 'DESC', id: 'DESC' },
    ...paging,
  });
  return { rows, total };
}

/** Marks a template as deleted, unless it is so already. */
export async function deleteTemplate(accountId: string, id: string, tx: Tx): Promise<void> {
  const at = () => 'now()';
  await tx.manager.update(Template, { accountId, id, deletedAt: IsNull() }, { deletedAt: at, updatedAt: at });
}

/** Records a reported state; what the template was before, or null when it is in that state already or unknown. */
export function updateState(
  accountId: string,
  metaTemplateId: string,
  state: NetworkState,
  tx: Tx,
): Promise<Pick<Template, 'wabaId' | 'networkStatus'> | null> {
  return tx.row(
    `WITH former AS (
       SELECT id, network_status, rejection_reason FROM templates
       WHERE account_id = $1 AND meta_template_id = $2 AND deleted_at IS NULL
       FOR NO KEY UPDATE
     )
     UPDATE templates t SET status = $3, network_status = $4, rejection_reason = $5, updated_at = now()
     FROM former
     WHERE t.account_id = $1 AND t.id = former.id
       AND (former.network_status, former.rejection_reason) IS DISTINCT FROM ($4, $5)
     RETURNING t.waba_id, former.network_status`,
    [accountId, metaTemplateId, state.status, state.networkStatus, state.rejectionReason],
  );
}

/** Records what a refused send revealed about a template that could be sent until now. */
export async function withdrawTemplate(accountId: string, id: string, state: NetworkState, tx: Tx): Promise<void> {
  await tx.manager.update(Template, { accountId, id, status: 'APPROVED' }, { ...state, updatedAt: () => 'now()' });
}
