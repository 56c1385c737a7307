import { Injectable } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '../queues/job-handler.js';
import type { Jobs } from '../queues/jobs.js';
import { DeliveryPool } from './delivery-pool.js';

/** Hands an endpoint to the delivery pool; the job is done before the first receiver answers. */
@Injectable()
@HandlesJob('webhook.drain.v1')
export class WebhookDrainHandler implements JobHandler<'webhook.drain.v1'> {
  constructor(private readonly pool: DeliveryPool) {}

  async run({ account_id, endpoint_id }: Jobs['webhook.drain.v1']): Promise<void> {
    this.pool.attend({ accountId: account_id, endpointId: endpoint_id });
  }
}
