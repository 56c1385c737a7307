import { Processor } from '@nestjs/bullmq';
import type { Jobs } from '../queues/jobs.js';
import { QueueProcessor, WORKER_OPTIONS } from '../queues/queue.processor.js';
import { DeliveryPool } from './delivery/delivery-pool.js';

/**
 * Hands each endpoint to this process's delivery pool. The job ends before any receiver responds, so deliveries occupy no
 * job slot.
 */
@Processor('webhooks', { ...WORKER_OPTIONS, concurrency: 16 })
export class WebhooksProcessor extends QueueProcessor<'webhook.drain.v1'> {
  constructor(private readonly pool: DeliveryPool) {
    super('webhook.drain.v1');
  }

  protected async perform({ account_id, endpoint_id }: Jobs['webhook.drain.v1']): Promise<void> {
    this.pool.wake({ accountId: account_id, endpointId: endpoint_id });
  }
}
