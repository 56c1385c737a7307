import { randomBytes } from 'node:crypto';
import type { Database } from '../unit-of-work.js';
import { ensureHashKey, resealHashKey } from './hash-key.queries.js';
import type { SecretBox, SecretPlace } from './secret-box.js';

/** What a hash key is used for. Each purpose has its own key, so that hashes of two purposes cannot be compared. */
export const HASH_PURPOSES = ['suppressions', 'fingerprints'] as const;
export type HashPurpose = (typeof HASH_PURPOSES)[number];

const KEY_BYTES = 32;

/** The place of a hash key, which its encryption is bound to. A hash key belongs to no account. */
export const hashKeyPlace = (purpose: string): SecretPlace => ({
  accountId: 'all',
  rowId: purpose,
  column: 'hash_keys.secret',
});

/**
 * Loads the key of one purpose for keyed hashes (HMAC), and re-encrypts it under the current encryption key. The key is
 * generated on first use and never changes: it survives a change of the encryption key, and a copy of the database alone
 * does not reveal what was hashed.
 *
 * @throws UnreadableSecret when no configured encryption key decrypts it
 */
export async function loadHashKey(purpose: HashPurpose, secrets: SecretBox, db: Database): Promise<Buffer> {
  const place = hashKeyPlace(purpose);
  const seal = (key: string) => secrets.seal(key, place);
  const sealed = await ensureHashKey(purpose, () => seal(randomBytes(KEY_BYTES).toString('base64')), db);
  const key = secrets.open(sealed, place);
  await resealHashKey(purpose, sealed, seal(key), db);
  return Buffer.from(key, 'base64');
}
