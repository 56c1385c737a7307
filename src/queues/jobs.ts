/**
 * Every job and what it carries: ids only, JSON-safe, so that a job can be run twice or rebuilt from the tables. Names
 * are stable: a change of meaning gets a new version.
 */
export interface Jobs {
  /** Hands a running campaign to the pumps of a worker. */
  'campaign.dispatch.v1': { account_id: string; campaign_id: string };
  /** Hands the due deliveries of one webhook endpoint to the delivery pool. */
  'webhook.drain.v1': { account_id: string; endpoint_id: string };
}

export type JobName = keyof Jobs;

/** The queue that each job travels in. */
export const QUEUE_OF_JOB = {
  'campaign.dispatch.v1': 'campaigns',
  'webhook.drain.v1': 'webhooks',
} as const satisfies Record<JobName, string>;

export type QueueName = (typeof QUEUE_OF_JOB)[JobName];

/** All queues. */
export const QUEUE_NAMES: readonly QueueName[] = [...new Set(Object.values(QUEUE_OF_JOB))];
