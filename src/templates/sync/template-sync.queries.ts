import { Any, IsNull } from 'typeorm';
import type { Tx } from '../../database/unit-of-work.js';
import { type NewTemplate, Template } from '../template.entity.js';
import { incomingJson, insertIncoming, updateIncoming } from '../template.queries.js';
import type { SyncPlan } from './template-sync-plan.js';

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
export function findTemplatesOfBusiness(accountId: string, wabaId: string, tx: Tx): Promise<Template[]> {
  return tx.manager.find(Template, { where: { accountId, wabaId, deletedAt: IsNull() }, order: { id: 'ASC' } });
}

/** Keeps a sync from bringing back what was deleted here, and upstream, after it had read the list. */
const STILL_THERE = `NOT EXISTS (
         SELECT 1 FROM templates gone
         WHERE gone.account_id = $1 AND gone.meta_template_id = incoming.meta_template_id AND gone.deleted_at >= $2
       )`;

/** The templates that the network knows under these ids. */
export function findTemplatesByMetaId(
  accountId: string,
  metaTemplateIds: readonly string[],
  tx: Tx,
): Promise<Template[]> {
  return tx.manager.findBy(Template, { accountId, metaTemplateId: Any(metaTemplateIds), deletedAt: IsNull() });
}

/** The network's ids of templates of a business account that wait for a decision. */
export async function findPendingMetaIds(accountId: string, wabaId: string, tx: Tx): Promise<string[]> {
  const pending = await tx.manager.find(Template, {
    select: { metaTemplateId: true },
    where: { accountId, wabaId, status: 'PENDING', deletedAt: IsNull() },
  });
  return pending.map(({ metaTemplateId }) => metaTemplateId);
}

/** How many templates a sync wrote. */
export interface SyncedCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Carries out a sync's plan. What a caller has made or changed meanwhile is newer than what was read from the network and
 * stays, and what was deleted here meanwhile is not made again.
 *
 * One statement, although the parts have nothing to do with one another: the trigger of the configuration epoch fires
 * at its end, when all rows are locked. Writers of single templates lock their row and then the epoch too; a sync that
 * held the epoch while it waited for their row would be a deadlock.
 *
 * @param before when the listing began, from {@link databaseTime}
 */
export async function writeSyncPlan(
  accountId: string,
  { create, update, remove }: SyncPlan,
  before: string,
  tx: Tx,
): Promise<SyncedCounts> {
  const counts = await tx.row<SyncedCounts>(
    `WITH deleted AS (
       UPDATE templates SET deleted_at = now(), updated_at = now()
       WHERE account_id = $1 AND id = ANY ($3::uuid[]) AND deleted_at IS NULL AND updated_at < $2
       RETURNING 1
     ), created AS (
       ${insertIncoming('$4', STILL_THERE)} DO NOTHING
       RETURNING 1
     ), updated AS (
       ${updateIncoming('$5', '$2')}
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM created) AS created, (SELECT count(*) FROM updated) AS updated,
            (SELECT count(*) FROM deleted) AS deleted`,
    [accountId, before, remove, incomingJson(create), incomingJson(update)],
  );
  return counts ?? { created: 0, updated: 0, deleted: 0 };
}

/** Brings stored templates up to date, unless they changed here after `before`. How many were written. */
export function updateFoundTemplates(
  accountId: string,
  templates: readonly NewTemplate[],
  before: string,
  tx: Tx,
): Promise<number> {
  if (templates.length === 0) return Promise.resolve(0);
  return tx.affected(updateIncoming('$2', '$3'), [accountId, incomingJson(templates), before]);
}

/**
 * Takes the right to ask the network about pending templates: of all callers on all processes, one in `seconds` gets it
 * for each business account that has any.
 */
export async function claimReviewPolls(accountId: string, seconds: number, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<Pick<Template, 'wabaId'>>(
    `INSERT INTO template_reviews (account_id, waba_id, looked_at)
     SELECT DISTINCT account_id, waba_id, now() FROM templates
     WHERE account_id = $1 AND status = 'PENDING' AND deleted_at IS NULL
     ORDER BY waba_id
     ON CONFLICT (account_id, waba_id) DO UPDATE SET looked_at = EXCLUDED.looked_at
     WHERE template_reviews.looked_at < now() - make_interval(secs => $2)
     RETURNING waba_id`,
    [accountId, seconds],
  );
  return rows.map(({ wabaId }) => wabaId);
}
