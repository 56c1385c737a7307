import type { Database } from '../unit-of-work.js';
import { HashKey } from './hash-key.entity.js';

/** Returns the encrypted hash key, or stores `fresh` if there is none. Concurrent processes get the same key. */
export async function ensureHashKey(name: string, fresh: () => string, db: Database): Promise<string> {
  const found = await db.manager.findOneBy(HashKey, { name });
  if (found !== null) return found.secret;
  await db.affected(
    'INSERT INTO hash_keys (name, secret) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT hash_keys_pkey DO NOTHING',
    [name, fresh()],
  );
  return (await db.manager.findOneByOrFail(HashKey, { name })).secret;
}

/** Stores a re-encrypted key, unless another process has done so meanwhile. */
export async function resealHashKey(name: string, sealed: string, fresh: string, db: Database): Promise<void> {
  await db.manager.update(HashKey, { name, secret: sealed }, { secret: fresh });
}

/** When a key was made, and whether an older release served this database before. */
export interface KeyOrigin {
  readonly createdAt: Date | null;
  readonly followsOlderRelease: boolean;
}

/** Returns null when there is no such key. */
export function findKeyOrigin(name: string, db: Database): Promise<KeyOrigin | null> {
  return db.row<KeyOrigin>(
    `SELECT created_at, EXISTS (SELECT FROM hash_keys WHERE created_at IS NULL) AS follows_older_release
     FROM hash_keys WHERE name = $1`,
    [name],
  );
}
