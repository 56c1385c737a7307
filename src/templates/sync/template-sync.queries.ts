import { Any, IsNull } from 'typeorm';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { type NewTemplate, Template } from '../template.entity.js';
import { incomingJson, insertIncoming, updateIncoming } from '../template.queries.js';
import type { SyncPlan } from './template-sync-plan.js';

/** The database's time, to compare with `updated_at`: ISO 8601 with microseconds, which a Date would truncate. */
export async function databaseTime(db: Database): Promise<string> {
  const row = await db.row<{ at: string }>("SELECT to_json(now()) #>> '{}' AS at");
  if (row === null) throw new Error('the database did not return the time');
  return row.at;
}

/** Lets one sync at a time write the templates of a business account; creating templates does not wait for it. */
export async function lockBusinessAccount(accountId: string, wabaId: string, tx: Tx): Promise<void> {
  await tx.row('SELECT 1 FROM business_accounts WHERE account_id = $1 AND waba_id = $2 FOR NO KEY UPDATE', [
    accountId,
    wabaId,
  ]);
}

/** How many templates a business account has. */
export function countTemplates(accountId: string, wabaId: string, db: Database): Promise<number> {
  return db.manager.countBy(Template, { accountId, wabaId, deletedAt: IsNull() });
}

/** All templates of one business account. */
export function findTemplatesOfBusiness(accountId: string, wabaId: string, tx: Tx): Promise<Template[]> {
  return tx.manager.find(Template, { where: { accountId, wabaId, deletedAt: IsNull() }, order: { id: 'ASC' } });
}

/** Keeps a sync from restoring templates that were deleted, here and upstream, after it read the list. */
const STILL_THERE = `NOT EXISTS (
         SELECT 1 FROM templates gone
         WHERE gone.account_id = $1 AND gone.meta_template_id = incoming.meta_template_id AND gone.deleted_at >= $2
       )`;

/** Templates by the network's ids. */
export function findTemplatesByMetaId(
  accountId: string,
  metaTemplateIds: readonly string[],
  db: Database,
): Promise<Template[]> {
  return db.manager.findBy(Template, { accountId, metaTemplateId: Any(metaTemplateIds), deletedAt: IsNull() });
}

/** The network's ids of the pending templates of a business account. */
export async function findPendingMetaIds(accountId: string, wabaId: string, db: Database): Promise<string[]> {
  const pending = await db.manager.find(Template, {
    select: { metaTemplateId: true },
    where: { accountId, wabaId, status: 'PENDING', deletedAt: IsNull() },
  });
  return pending.map(({ metaTemplateId }) => metaTemplateId);
}

/** How many templates a sync changed. */
export interface SyncedCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Carries out a sync's plan. Templates that callers created, changed or deleted since the listing began are left alone.
 *
 * This is one statement so that the trigger of the configuration epoch fires once, after all rows are locked. Writers
 * of single templates also lock their row first and the epoch second; a sync that held the epoch while waiting for a
 * row would deadlock with them.
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

/** Updates stored templates, unless they changed here after `before`; returns how many were written. */
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
 * Claims the right to poll pending templates. Across all processes, one caller per `seconds` gets each business account
 * that has any; returns the claimed ones.
 */
export async function claimReviewPolls(accountId: string, seconds: number, db: Database): Promise<string[]> {
  const rows = await db.rows<Pick<Template, 'wabaId'>>(
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
