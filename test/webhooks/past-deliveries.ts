import { v7 } from 'uuid';
import { createPartitions, PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { LoggedEvent } from '../../src/outbox/logged-event.entity.js';
import { DAY } from '../../src/values/clock.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import type { TestAccount, World } from '../support/world.js';
import { event } from './events.js';

const dayOf = (daysAgo: number): Date => new Date(Date.now() - daysAgo * DAY);

/** Inserts pending deliveries and their events, left over from `daysAgo` days ago. */
export async function filePastDeliveries(
  world: World,
  { accountId }: TestAccount,
  endpointId: string,
  daysAgo: number,
  marks: readonly string[],
): Promise<void> {
  const at = dayOf(daysAgo);
  for (const table of PARTITIONED_TABLES.filter(({ period }) => period === 'day')) {
    await createPartitions(world.unitOfWork.pool, table, [partitionAt(table, at)]);
  }
  const events = marks.map((mark) => ({
    accountId,
    id: v7({ msecs: at.getTime() }),
    occurredAt: at,
    kind: 'message.sent' as const,
    body: JSON.stringify(event({ accountId }, mark).payload),
  }));
  await world.unitOfWork.transaction(async ({ manager }) => {
    await manager.insert(LoggedEvent, events);
    await manager.insert(
      WebhookDelivery,
      events.map(({ id, kind }) => ({
        accountId,
        id: v7({ msecs: at.getTime() }),
        endpointId,
        eventId: id,
        kind,
        retriesLeft: 3,
        nextAttemptAt: at,
        createdAt: at,
      })),
    );
  });
}

/** Drops the events of `daysAgo` days ago, as retention does. */
export async function dropEvents({ unitOfWork }: World, daysAgo: number): Promise<void> {
  const events = PARTITIONED_TABLES.find(({ table }) => table === 'events');
  if (events === undefined) throw new Error('events are not partitioned');
  await unitOfWork.autocommit.affected(`DROP TABLE ${partitionAt(events, dayOf(daysAgo)).name}`);
}
