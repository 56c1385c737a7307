import { IsNull } from 'typeorm';
import { snakeCase, snakeCased } from '../database/sql/camel-case.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { cutRows, type Positioned } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Cursor, Paged } from '../values/page.js';
import { type NewTemplate, Template } from './template.entity.js';
import type { TemplateCategory, TemplateStatus } from './template.js';
import type { NetworkState } from './template-state.js';

/** Columns that identify a template; a sync never changes them. */
const KEY = ['id', 'wabaId', 'businessPhoneId', 'name', 'language'] as const satisfies (keyof NewTemplate)[];
/** All other columns of a template. */
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

/** Templates as the single JSON parameter of {@link insertIncoming} and {@link updateIncoming}. */
export const incomingJson = (templates: readonly NewTemplate[]): string => JSON.stringify(templates.map(snakeCased));

const incoming = (parameter: string): string =>
  `jsonb_populate_recordset(NULL::templates, ${parameter}::jsonb) AS incoming`;

/**
 * Inserts templates of the account `$1`. The caller appends `DO NOTHING` or `DO UPDATE` for names already in use.
 *
 * @param parameter such as `$2`, from {@link incomingJson}
 * @param where which of them to insert
 */
export const insertIncoming = (parameter: string, where = 'true'): string =>
  `INSERT INTO templates (account_id, ${COLUMNS})
     SELECT $1, ${COLUMNS} FROM ${incoming(parameter)}
     WHERE ${where}
     ON CONFLICT (account_id, waba_id, name, language) WHERE deleted_at IS NULL`;

/**
 * Updates stored templates of the account `$1`, unless they changed here since `before`, when they were read from the
 * network. Notices that are older than that come too late. The minute is for clocks that differ.
 */
export const updateIncoming = (parameter: string, before: string): string =>
  `UPDATE templates t SET ${CHANGES}, updated_at = now(),
            state_told_at = greatest(t.state_told_at, ${before}::timestamptz - interval '1 minute'),
            category_told_at = greatest(t.category_told_at, ${before}::timestamptz - interval '1 minute')
     FROM ${incoming(parameter)}
     WHERE t.account_id = $1 AND t.id = incoming.id AND t.deleted_at IS NULL AND t.updated_at < ${before}`;

/**
 * Stores a template that the network has accepted. If a sync stored it first, its row is completed and keeps its id.
 * Returns null when the name belongs to another template.
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
  db: Database,
): Promise<boolean> {
  return db.manager.existsBy(Template, { accountId, wabaId, name, language, deletedAt: IsNull() });
}

export function findTemplate(accountId: string, id: string, db: Database): Promise<Template | null> {
  return db.manager.findOneBy(Template, { accountId, id, deletedAt: IsNull() });
}

/** Templates by their ids; those that do not exist are left out. Pipeline statement: each id names its tenant. */
export async function findTemplatesOf(
  keys: readonly { readonly accountId: string; readonly templateId: string }[],
  db: Database,
): Promise<Template[]> {
  return db.rows<Template>(
    `SELECT t.* FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
     JOIN templates t ON t.account_id = k.account_id AND t.id = k.id AND t.deleted_at IS NULL`,
    [keys.map(({ accountId }) => accountId), keys.map(({ templateId }) => templateId)],
  );
}

/** All templates of a name, in all languages and business accounts of the account. */
export function findTemplatesByName(accountId: string, name: string, db: Database): Promise<Template[]> {
  return db.manager.find(Template, {
    where: { accountId, name, deletedAt: IsNull() },
    order: { language: 'ASC', wabaId: 'ASC' },
  });
}

/** Templates whose names are compared with an unknown one. */
const MAX_SIMILAR = 200;

/**
 * Names of the account's templates that may be meant by an unknown `name`: of similar length, first those that begin
 * like it.
 *
 * @param wabaId only templates of this business account; null for all
 */
export async function findSimilarNames(
  accountId: string,
  name: string,
  wabaId: string | null,
  db: Database,
): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    `SELECT name FROM templates
     WHERE account_id = $1 AND deleted_at IS NULL AND ($3::text IS NULL OR waba_id = $3)
       AND length(name) BETWEEN length($2) / 2 AND length($2) * 2
     GROUP BY name
     ORDER BY left(name, 3) = left(lower($2), 3) DESC, name
     LIMIT ${MAX_SIMILAR}`,
    [accountId, name, wabaId],
  );
  return rows.map(({ name: similar }) => similar);
}

/** Filters of a list of templates; null means any. */
export interface TemplateFilter {
  readonly status: TemplateStatus | null;
  readonly category: TemplateCategory | null;
  readonly language: string | null;
  /** Any part of the name. */
  readonly search: string | null;
  readonly page: number;
  /** Null returns all. */
  readonly limit: number | null;
  readonly cursor?: Cursor | undefined;
}

/** More than an account can have. */
const UNLIMITED = 1_000_000_000;

/** The account's matching templates, newest first, and their total. */
export async function listTemplates(accountId: string, filter: TemplateFilter, db: Database): Promise<Paged<Template>> {
  const { status, category, language, search, cursor } = filter;
  const parameters: unknown[] = [accountId];
  const conditions = ['t.account_id = $1', 't.deleted_at IS NULL'];
  const add = (condition: (place: string) => string, value: string | null): void => {
    if (value !== null) conditions.push(condition(`$${parameters.push(value)}`));
  };
  add((place) => `t.status = ${place}`, status);
  add((place) => `t.category = ${place}`, category);
  add((place) => `t.language = ${place}`, language);
  add((place) => `search_text(t.name) LIKE (SELECT search_pattern(${place}))`, search);
  const matching = `FROM templates t WHERE ${conditions.join(' AND ')}`;
  // Without a limit there is only one page.
  const page = { page: filter.page, limit: filter.limit ?? UNLIMITED, cursor };
  const cut = NEWEST_FIRST.pageOf(page, `$${parameters.length + 1}`, `$${parameters.length + 2}`, 't');
  const count = await db.row<{ total: number }>(`SELECT count(*)::integer AS total ${matching}`, parameters);
  const rows = await db.rows<Positioned<Template>>(`SELECT t.*, ${NEWEST_FIRST.position('t')} ${matching} ${cut}`, [
    ...parameters,
    ...NEWEST_FIRST.parameters(page),
  ]);
  return { ...cutRows(rows, page), total: count?.total ?? 0 };
}

/** Marks a template as deleted; does nothing if it already is. */
export async function deleteTemplate(accountId: string, id: string, db: Database): Promise<void> {
  const at = () => 'now()';
  await db.manager.update(Template, { accountId, id, deletedAt: IsNull() }, { deletedAt: at, updatedAt: at });
}

/** What is stored about the review and the category of a template. */
export type StoredState = Pick<Template, 'id' | 'wabaId' | 'stateToldAt' | 'category' | 'categoryToldAt'> &
  NetworkState;

/**
 * State and category of the template with this network id, locked until the transaction ends; null when there is none.
 */
export function lockState(accountId: string, metaTemplateId: string, tx: Tx): Promise<StoredState | null> {
  return tx.row(
    `SELECT id, waba_id, status, network_status, rejection_reason, state_told_at, category, category_told_at
     FROM templates
     WHERE account_id = $1 AND meta_template_id = $2 AND deleted_at IS NULL
     FOR NO KEY UPDATE`,
    [accountId, metaTemplateId],
  );
}

/** What a notice changes. */
export type ReportedChanges = Partial<
  NetworkState & Pick<Template, 'stateToldAt' | 'category' | 'categoryToldAt' | 'messageSendTtlSeconds'>
>;

/** Stores what the network reported, and when it did. */
export async function storeReported(accountId: string, id: string, changes: ReportedChanges, tx: Tx): Promise<void> {
  await tx.manager.update(Template, { accountId, id }, { ...changes, updatedAt: () => 'now()' });
}

/** Stores the state that a refused send implies, if the template is still approved. */
export async function withdrawTemplate(
  accountId: string,
  id: string,
  state: NetworkState,
  db: Database,
): Promise<void> {
  await db.manager.update(Template, { accountId, id, status: 'APPROVED' }, { ...state, updatedAt: () => 'now()' });
}
