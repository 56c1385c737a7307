/**
 * Every job and its payload: ids only, so that a job can run twice or be rebuilt from the tables. Names are stable; a
 * change of meaning gets a new version.
 */
export interface Jobs {
  /** Hands a running campaign to a worker's send pumps. */
  'campaign.dispatch.v1': { account_id: string; campaign_id: string };
  /** Hands an endpoint's due deliveries to the delivery pool. */
  'webhook.drain.v1': { account_id: string; endpoint_id: string };
}

export type JobName = keyof Jobs;

/** The queue of each job. */
export const QUEUE_OF_JOB = {
  'campaign.dispatch.v1': 'campaigns',
  'webhook.drain.v1': 'webhooks',
} as const satisfies Record<JobName, string>;

export type QueueName = (typeof QUEUE_OF_JOB)[JobName];

export const QUEUE_NAMES: readonly QueueName[] = [...new Set(Object.values(QUEUE_OF_JOB))];
