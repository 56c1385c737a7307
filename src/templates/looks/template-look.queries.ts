import type { Database, Tx } from '../../database/unit-of-work.js';
import type { Template } from '../template.entity.js';

/** A business account with templates to look up. */
export type DueBusiness = Pick<Template, 'accountId' | 'wabaId'>;

/** How long after its last use a template is looked up daily, and how long after the time of an announced change. */
const USED = `interval '7 days'`;
const ANNOUNCED = `interval '2 days'`;

/**
 * Records that templates were sent. The first look follows within the hour, so that templates that come into use
 * together share one. Pipeline statement: each template names its tenant.
 */
export async function recordUses(
  uses: readonly { readonly accountId: string; readonly templateId: string }[],
  db: Database,
): Promise<void> {
  await db.affected(
    `INSERT INTO template_looks (account_id, template_id, used_at, look_at)
     SELECT used.account_id, used.template_id, now(), now() + interval '1 hour'
     FROM unnest($1::uuid[], $2::uuid[]) AS used (account_id, template_id)
     ORDER BY used.account_id, used.template_id
     ON CONFLICT (account_id, template_id) DO UPDATE SET used_at = EXCLUDED.used_at`,
    [uses.map(({ accountId }) => accountId), uses.map(({ templateId }) => templateId)],
  );
}

/** Plans a look for when the network will change the category of a template. */
export async function planLook(accountId: string, templateId: string, changeAt: Date, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO template_looks (account_id, template_id, change_at, look_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (account_id, template_id) DO UPDATE
     SET change_at = EXCLUDED.change_at, look_at = least(template_looks.look_at, EXCLUDED.look_at)`,
    [accountId, templateId, changeAt],
  );
}

/**
 * Plans a look for now, because a notice left the state or category of a template in doubt. A new row counts as a change
 * that is due now, so that the look is repeated for a day, in case the network's list is late.
 */
export async function lookSoon(accountId: string, templateId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO template_looks (account_id, template_id, change_at, look_at) VALUES ($1, $2, now(), now())
     ON CONFLICT (account_id, template_id) DO UPDATE SET look_at = least(template_looks.look_at, EXCLUDED.look_at)`,
    [accountId, templateId],
  );
}

/** A look: whether the templates of any business account are due. */
export const DUE_TEMPLATE = 'SELECT true FROM template_looks WHERE look_at <= now() ORDER BY look_at LIMIT 1';

/** Business accounts with looks that are due. Pipeline statement, all tenants. */
export function findDueBusinesses(limit: number, db: Database): Promise<DueBusiness[]> {
  return db.rows<DueBusiness>(
    `SELECT l.account_id, t.waba_id FROM template_looks l
     JOIN templates t ON t.account_id = l.account_id AND t.id = l.template_id
     WHERE l.look_at <= now()
     GROUP BY l.account_id, t.waba_id
     ORDER BY min(l.look_at)
     LIMIT $1`,
    [limit],
  );
}

/** Forgets the templates of a business account that are deleted, or neither in use nor about to change. */
export async function forgetUnused({ accountId, wabaId }: DueBusiness, tx: Tx): Promise<void> {
  await tx.affected(
    `DELETE FROM template_looks l USING templates t
     WHERE l.account_id = $1 AND t.account_id = $1 AND t.id = l.template_id AND t.waba_id = $2
       AND (t.deleted_at IS NOT NULL
            OR greatest(l.used_at + ${USED}, l.change_at + ${ANNOUNCED}) < now())`,
    [accountId, wabaId],
  );
}

/**
 * Claims the look at all templates of a business account by setting the time of the next one. One request serves all,
 * so they keep a common time, except that an announced change has its own. The caller has locked the business account.
 *
 * @param againInMs milliseconds until the next try if this look fails
 * @returns the network's ids; none when another process was faster
 */
export async function claimLooks({ accountId, wabaId }: DueBusiness, againInMs: number, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<Pick<Template, 'metaTemplateId'>>(
    `UPDATE template_looks l SET look_at = ${nextLook('$3')}
     FROM templates t
     WHERE l.account_id = $1 AND t.account_id = $1 AND t.id = l.template_id AND t.waba_id = $2
       AND EXISTS (
         SELECT FROM template_looks due JOIN templates o ON o.account_id = due.account_id AND o.id = due.template_id
         WHERE due.account_id = $1 AND o.account_id = $1 AND o.waba_id = $2 AND due.look_at <= now()
       )
     RETURNING t.meta_template_id`,
    [accountId, wabaId, againInMs],
  );
  return rows.map(({ metaTemplateId }) => metaTemplateId);
}

/**
 * Sets the time of the next look after a successful one: hourly in the day after a change was due, in case the network
 * is late.
 *
 * @param againInMs milliseconds until the next look
 */
export async function settleLooks(
  { accountId, wabaId }: DueBusiness,
  metaTemplateIds: readonly string[],
  againInMs: number,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE template_looks l
     SET look_at = CASE WHEN l.change_at BETWEEN now() - interval '1 day' AND now() THEN now() + interval '1 hour'
                        ELSE ${nextLook('$4')} END
     FROM templates t
     WHERE l.account_id = $1 AND t.account_id = $1 AND t.id = l.template_id AND t.waba_id = $2
       AND t.meta_template_id = ANY ($3)`,
    [accountId, wabaId, metaTemplateIds, againInMs],
  );
}

/** The earlier of the time after `$parameter` milliseconds and an announced change. */
const nextLook = (parameter: string): string =>
  `least(now() + ${parameter}::float8 * interval '1 millisecond', CASE WHEN l.change_at > now() THEN l.change_at END)`;
