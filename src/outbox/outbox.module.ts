import { Global, Module } from '@nestjs/common';
import { Outbox } from './outbox.js';
import { OutboxSignal } from './outbox-signal.js';

/**
 * Lets every room record events. The webhooks room, which fans events out, starts the relay in workers.
 */
@Global()
@Module({
  providers: [Outbox, OutboxSignal],
  exports: [Outbox, OutboxSignal],
})
export class OutboxModule {}
