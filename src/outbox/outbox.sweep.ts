import { Injectable } from '@nestjs/common';
import { Sweep } from '../queues/sweep.js';
import { SECOND } from '../values/clock.js';
import { WAITING_EVENT } from './outbox.queries.js';
import { OutboxRelay } from './outbox-relay.js';

/** Wakes the relay for events whose signal got lost, as when a process dies right after its commit. */
@Injectable()
export class OutboxSweep extends Sweep {
  constructor(private readonly relay: OutboxRelay) {
    super(SECOND, { look: WAITING_EVENT });
  }

  protected async sweep(): Promise<void> {
    this.relay.wake();
  }
}
