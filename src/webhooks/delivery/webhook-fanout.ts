import { Injectable } from '@nestjs/common';
import { EventFanout } from '../../outbox/event-fanout.js';
import { DeliveryPool } from './delivery-pool.js';
import { DueDeliveriesService } from './due-deliveries.service.js';

/**
 * Turns events into deliveries to the endpoints that subscribed to them. Deliveries that the pool has room for are
 * leased to this process on creation, so an event gets from its commit to the socket without a second look or a job in
 * between.
 */
@Injectable()
export class WebhookFanout extends EventFanout {
  constructor(
    private readonly due: DueDeliveriesService,
    private readonly pool: DeliveryPool,
  ) {
    super();
  }

  async relay(limit: number): Promise<number> {
    const { taken, leased, waiting } = await this.due.fanOut(limit, this.pool.firstAttempts());
    const refused = this.pool.begin(leased);
    for (const endpoint of waiting) this.pool.wake(endpoint);
    if (refused.length > 0) {
      await this.due.release(refused);
      for (const delivery of refused) this.pool.wake(delivery);
    }
    return taken;
  }
}
