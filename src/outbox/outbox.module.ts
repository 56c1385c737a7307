import { Room } from '../manifest/room.js';
import { LoggedEvent } from './logged-event.entity.js';
import { Outbox } from './outbox.js';
import { OutboxEntry } from './outbox-entry.entity.js';
import { OutboxSignal } from './outbox-signal.js';

/**
 * Lets every room record events. The webhooks room, which fans events out, starts the relay in workers.
 */
@Room({
  entities: [LoggedEvent, OutboxEntry],
  personalData: { covered: ['events', 'outbox'] },
  kept: { outbox: 'until they are fanned out, about a second' },
  providers: [Outbox, OutboxSignal],
  exports: [Outbox, OutboxSignal],
})
export class OutboxModule {}
