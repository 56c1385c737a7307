import type { Database, Tx } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { Template } from './template.entity.js';

// A deletion asks the network, so it cannot be one transaction. It is announced first, under a lock that waits for
// everybody who holds the template, and from then on nobody can.

/**
 * Holds a template until the transaction ends: it is not deleted before.
 *
 * @throws DomainError 400 when it was deleted or is being deleted
 */
export async function holdTemplate(
  accountId: string,
  { id, name }: Pick<Template, 'id' | 'name'>,
  tx: Tx,
): Promise<void> {
  const held = await tx.row(
    `SELECT id FROM templates
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL AND (deleting_until IS NULL OR deleting_until <= now())
     FOR KEY SHARE`,
    [accountId, id],
  );
  if (held === null) throw badRequest(`template ${name} was deleted or is being deleted. Choose another template`);
}

/**
 * Announces a deletion. Waits for transactions that hold the template, so that what they stored can be read afterwards.
 *
 * @param until when the announcement ends by itself, if the process dies
 * @returns false when there is no such template
 */
export async function announceDeletion(accountId: string, id: string, until: Date, tx: Tx): Promise<boolean> {
  const announced = await tx.affected(
    `WITH present AS MATERIALIZED (
       SELECT id FROM templates WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE
     )
     UPDATE templates t SET deleting_until = $3 FROM present WHERE t.account_id = $1 AND t.id = present.id`,
    [accountId, id, until],
  );
  return announced === 1;
}

/** Withdraws an announcement, unless another call has announced the deletion since. */
export async function withdrawDeletion(accountId: string, id: string, until: Date, db: Database): Promise<void> {
  await db.affected(
    'UPDATE templates SET deleting_until = NULL WHERE account_id = $1 AND id = $2 AND deleting_until = $3',
    [accountId, id, until],
  );
}
