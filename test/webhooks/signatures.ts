import { createHmac } from 'node:crypto';
import type { Received } from './receiver.js';

/** The Standard Webhooks signature of a delivery under a secret. */
export const standardSignature = ({ headers, body }: Received, secret: string): string => {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
};

/** The `X-Webhook-Signature` of a delivery under a secret. */
export const plainSignature = ({ body }: Received, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
