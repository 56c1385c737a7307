import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { EventFanout, type OutboxEvent, type Wakeup } from '../outbox/event-fanout.js';
import { insertDeliveries } from './delivery.queries.js';
import { DeliveryPool } from './delivery-pool.js';
import { DrainQueue } from './drain-queue.js';

/** Turns events into deliveries to the endpoints that subscribed to them. */
@Injectable()
export class WebhookFanout extends EventFanout {
  constructor(
    private readonly pool: DeliveryPool,
    private readonly drains: DrainQueue,
  ) {
    super();
  }

  fanOut(events: readonly OutboxEvent[], tx: Tx): Promise<Wakeup[]> {
    return insertDeliveries(events, tx);
  }

  /** An endpoint that this process is delivering to goes on with what is new; the others get a drain job. */
  wake(endpoints: readonly Wakeup[]): void {
    this.drains.add(endpoints.filter((endpoint) => !this.pool.nudge(endpoint)));
  }
}
