import type { Tx } from '../../database/unit-of-work.js';
import { HashKey } from './hash-key.entity.js';

/** Returns the encrypted hash key, or stores `fresh` if there is none. Concurrent processes get the same key. */
export async function ensureHashKey(name: string, fresh: () => string, tx: Tx): Promise<string> {
  const found = await tx.manager.findOneBy(HashKey, { name });
  if (found !== null) return found.secret;
  await tx.affected(
    'INSERT INTO hash_keys (name, secret) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT hash_keys_pkey DO NOTHING',
    [name, fresh()],
  );
  return (await tx.manager.findOneByOrFail(HashKey, { name })).secret;
}

/** Stores a re-encrypted key, unless another process has done so meanwhile. */
export async function reseal(name: string, sealed: string, fresh: string, tx: Tx): Promise<void> {
  await tx.manager.update(HashKey, { name, secret: sealed }, { secret: fresh });
}

/** A person's latest decision about marketing messages. */
export interface Decision {
  readonly identityHash: string;
  readonly optedIn: boolean;
  readonly at: Date;
}

/** Records who has opted out, and removes those who have opted in again. */
export async function saveSuppressions(accountId: string, decisions: readonly Decision[], tx: Tx): Promise<void> {
  const [forgotten, kept] = [decisions.filter(({ optedIn }) => optedIn), decisions.filter(({ optedIn }) => !optedIn)];
  await tx.affected('DELETE FROM suppressions WHERE account_id = $1 AND identity_hash = ANY ($2::text[])', [
    accountId,
    forgotten.map(({ identityHash }) => identityHash),
  ]);
  await tx.affected(
    `INSERT INTO suppressions (account_id, identity_hash, opted_out_at)
     SELECT $1::uuid, hash, max(at) FROM unnest($2::text[], $3::timestamptz[]) AS kept (hash, at) GROUP BY hash ORDER BY hash
     ON CONFLICT ON CONSTRAINT suppressions_pkey DO UPDATE SET opted_out_at = excluded.opted_out_at`,
    [accountId, kept.map(({ identityHash }) => identityHash), kept.map(({ at }) => at)],
  );
}

/** SQL lateral join that yields `suppressed.at`: when the person with this hash opted out, or null if they have not. */
export const suppressedOf = (accountId: string, identityHash: string): string => `LATERAL (
         SELECT max(s.opted_out_at) AS at FROM suppressions s
         WHERE s.account_id = ${accountId} AND s.identity_hash = ${identityHash}
       ) suppressed`;
