import { jobKind } from '../manifest/job-kind.js';

/** Hands an endpoint's due deliveries to the delivery pool. */
export const WEBHOOK_DRAIN = jobKind<{ account_id: string; endpoint_id: string }>('webhook.drain.v1', 'webhooks');
