import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether `header` (`sha256=<hex>`) signs exactly these bytes (NETWORK.md, Callbacks). */
export function signatureMatches(bytes: Buffer, header: string | undefined, appSecret: string): boolean {
  const found = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  if (found === undefined) return false;
  return timingSafeEqual(createHmac('sha256', appSecret).update(bytes).digest(), Buffer.from(found, 'hex'));
}
