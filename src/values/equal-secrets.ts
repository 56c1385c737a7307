import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a secret with what a caller presents, in the same time wherever they differ and whatever their lengths. */
export const equalSecrets = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
