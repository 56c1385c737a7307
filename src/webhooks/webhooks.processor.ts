import { Processor } from '@nestjs/bullmq';
import type { IdsOf } from '../manifest/job-kind.js';
import { QueueProcessor, WORKER_OPTIONS } from '../queues/queue.processor.js';
import { DeliveryPool } from './delivery/delivery-pool.js';
import { WEBHOOK_DRAIN } from './webhooks.jobs.js';

/**
 * Hands each endpoint to this process's delivery pool. The job ends before any receiver responds, so deliveries occupy no
 * job slot.
 */
@Processor(WEBHOOK_DRAIN.queue, { ...WORKER_OPTIONS, concurrency: 16 })
export class WebhooksProcessor extends QueueProcessor<IdsOf<typeof WEBHOOK_DRAIN>> {
  constructor(private readonly pool: DeliveryPool) {
    super(WEBHOOK_DRAIN);
  }

  protected async perform({ account_id, endpoint_id }: IdsOf<typeof WEBHOOK_DRAIN>): Promise<void> {
    this.pool.wake({ accountId: account_id, endpointId: endpoint_id });
  }
}
