import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `pk_live_<12 characters>_<43 characters>`: the prefix finds the row, the secret authenticates the caller. */
const API_KEY = /^pk_live_([A-Za-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
const PREFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new key. `key` is shown once and never stored. */
export interface IssuedKey {
  readonly key: string;
  readonly prefix: string;
  readonly secretHash: Buffer;
}

export function issueKey(): IssuedKey {
  const prefix = Array.from(randomBytes(12), (byte) => PREFIX_ALPHABET[byte % PREFIX_ALPHABET.length]).join('');
  const secret = randomBytes(32).toString('base64url');
  return { key: `pk_live_${prefix}_${secret}`, prefix, secretHash: hashSecret(secret) };
}

/** Splits a presented key; null when it is malformed. */
export function parseKey(presented: string): { prefix: string; secret: string } | null {
  const match = API_KEY.exec(presented);
  return match?.[1] === undefined || match[2] === undefined ? null : { prefix: match[1], secret: match[2] };
}

/** Compares in constant time. */
export const secretMatches = (secret: string, secretHash: Buffer): boolean => {
  const presented = hashSecret(secret);
  return presented.length === secretHash.length && timingSafeEqual(presented, secretHash);
};

const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** When a key stops working: when it expires or, if that is earlier, when its revocation takes effect. Null: never. */
export const endOf = ({ expiresAt, revokedAt }: { expiresAt: Date | null; revokedAt: Date | null }): Date | null =>
  expiresAt !== null && revokedAt !== null && revokedAt < expiresAt ? revokedAt : (expiresAt ?? revokedAt);
