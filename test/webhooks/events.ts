import type { DomainEvent } from '../../src/outbox/event.js';
import { Outbox } from '../../src/outbox/outbox.js';
import { newRecordId } from '../../src/values/record-id.js';
import { RetryAlarm } from '../../src/webhooks/delivery/retry-alarm.js';
import { until } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';

/** Records events as any module does: written in a transaction, then announced. */
export async function emit(world: World, events: readonly DomainEvent[]): Promise<void> {
  const outbox = world.parley.app.get(Outbox);
  await world.unitOfWork.transaction((tx) => outbox.write(events, tx));
  outbox.announce();
}

/** A test event, identified by `mark`. */
export const event = (
  { accountId }: Pick<TestAccount, 'accountId'>,
  mark: string | number,
  kind: DomainEvent['kind'] = 'message.sent',
): DomainEvent => ({
  accountId,
  kind,
  contactId: newRecordId(),
  occurredAt: new Date(),
  payload: { event: kind, timestamp: '2026-01-31T09:30:00.000', message: { message_id: String(mark) } },
});

/** The mark of an event body. */
export const markOf = (body: Buffer): string =>
  (JSON.parse(body.toString('utf8')) as { message: { message_id: string } }).message.message_id;

interface WebhookBody {
  readonly webhook: { readonly id: string };
}

/**
 * Registers an endpoint and returns its id. Unless `settings` say otherwise, it may take 30 s to answer: receivers share
 * the process of the tests, which may stand still for longer than the usual 5 s.
 */
export async function subscribe(account: TestAccount, settings: Record<string, unknown>): Promise<string> {
  const response = await account.api.post<WebhookBody>('/api/v1/webhooks/', { timeout: 30, ...settings });
  if (response.status !== 201) throw new Error(`webhook was refused: ${response.text}`);
  return response.body.webhook.id;
}

/** A delivery as the API lists it. */
export interface ListedDelivery {
  readonly id: string;
  readonly event: string;
  readonly webhook_id: string;
  readonly status: string;
  readonly attempts: {
    readonly at: string;
    readonly status_code: number | null;
    readonly duration_ms: number;
    readonly error: string | null;
    readonly response: string | null;
    readonly note: string | null;
  }[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

/** The endpoint's deliveries, newest first. */
export async function deliveriesOf({ api }: TestAccount, webhookId: string): Promise<ListedDelivery[]> {
  const { body } = await api.get<{ deliveries: ListedDelivery[] }>(
    `/api/v1/webhooks/${webhookId}/deliveries?limit=100`,
  );
  return body.deliveries;
}

/** Waits until the endpoint has `count` deliveries, no more, and none is pending. */
export async function settledDeliveries(account: TestAccount, webhookId: string, count = 1): Promise<ListedDelivery[]> {
  const settled = await until(`${count} deliveries are settled`, async () => {
    const deliveries = await deliveriesOf(account, webhookId);
    return deliveries.length >= count && deliveries.every(({ status }) => status !== 'pending') && deliveries;
  });
  expect(settled).toHaveLength(count);
  return settled;
}

/** Waits until the endpoint has `count` deliveries, no more, and all are delivered. */
export async function delivered(account: TestAccount, webhookId: string, count = 1): Promise<ListedDelivery[]> {
  const made = await until(`${count} deliveries are made`, async () => {
    const deliveries = await deliveriesOf(account, webhookId);
    return deliveries.length >= count && deliveries.every(({ status }) => status === 'delivered') && deliveries;
  });
  expect(made).toHaveLength(count);
  return made;
}

/** Waits until the endpoint's only delivery has this many attempts in its log. */
export const attempted = (account: TestAccount, webhookId: string, attempts = 1): Promise<ListedDelivery> =>
  until(`attempt ${attempts} is in the log`, async () => {
    const [delivery] = await deliveriesOf(account, webhookId);
    return delivery !== undefined && delivery.attempts.length >= attempts && delivery;
  });

/** What makes a receiver's refusal last until the test lets the time pass. */
export const IN_AN_HOUR = { 'retry-after': '3600' };

/** Makes the account's waiting retries due now, as if the time had passed. */
export async function letTimePass(world: World, { accountId }: Pick<TestAccount, 'accountId'>): Promise<void> {
  await world.unitOfWork.autocommit.affected(
    `UPDATE webhook_deliveries SET next_attempt_at = now()
     WHERE account_id = $1 AND status = 'pending' AND lease_until IS NULL`,
    [accountId],
  );
}

/**
 * Watches the timers for retries until the end of the test file.
 *
 * @returns gives the waits before the retries of a delivery, milliseconds
 */
export function watchRetries(): (deliveryId: string | undefined) => number[] {
  const timers = jest.spyOn(RetryAlarm.prototype, 'set');
  return (id) => timers.mock.calls.filter(([{ deliveryId }]) => deliveryId === id).map(([, delayMs]) => delayMs);
}
