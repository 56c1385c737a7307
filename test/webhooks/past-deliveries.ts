import { v7 } from 'uuid';
import { createPartitions, PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { LoggedEvent } from '../../src/outbox/logged-event.entity.js';
import { DAY } from '../../src/values/clock.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { eventually } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';
import { event } from './events.js';

/** The same for all tests of a file, also when midnight passes. */
const TODAY = Date.now();
const dayOf = (daysAgo: number): Date => new Date(TODAY - daysAgo * DAY);
/** How long a statement may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

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
    // It waits two seconds for its lock.
    await eventually(() => createPartitions(world.unitOfWork.pool, table, [partitionAt(table, at)]));
  }
  const events = marks.map((mark) => ({
    accountId,
    id: v7({ msecs: at.getTime() }),
    occurredAt: at,
    kind: 'message.sent' as const,
    body: JSON.stringify(event({ accountId }, mark).payload),
  }));
  const deliveries = events.map(({ id, kind }) => ({
    accountId,
    id: v7({ msecs: at.getTime() }),
    endpointId,
    eventId: id,
    kind,
    retriesLeft: 3,
    nextAttemptAt: at,
    createdAt: at,
  }));
  await world.unitOfWork.transaction(
    async ({ manager }) => {
      await manager.insert(LoggedEvent, events);
      await manager.insert(WebhookDelivery, deliveries);
    },
    { statementMs: STATEMENT_MS },
  );
}

/** Drops the events of `daysAgo` days ago, as retention does. */
export async function dropEvents({ unitOfWork }: World, daysAgo: number): Promise<void> {
  const events = PARTITIONED_TABLES.find(({ table }) => table === 'events');
  if (events === undefined) throw new Error('events are not partitioned');
  const { name } = partitionAt(events, dayOf(daysAgo));
  // Its lock waits for all who read events, but no longer than two seconds.
  await eventually(async () => {
    await unitOfWork.autocommit.affected(`DROP TABLE IF EXISTS ${name}`);
  });
}
