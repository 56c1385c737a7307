import { Global, Module } from '@nestjs/common';
import { Outbox } from './outbox.js';
import { OutboxSignal } from './outbox-signal.js';

/**
 * Lets every room record events. The relay is not here: the room that fans events out brings it to life, in workers.
 */
@Global()
@Module({
  providers: [Outbox, OutboxSignal],
  exports: [Outbox, OutboxSignal],
})
export class OutboxModule {}
