import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import type { Caller } from '../../auth/caller.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { lowestIdAt } from '../../database/schema/partitions.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { noteRecordOfKey } from '../../idempotency/record-notes.js';
import { DAY, now } from '../../values/clock.js';
import type { Page, Paged } from '../../values/page.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { DrainQueue } from '../delivery/drain-queue.js';
import { findEndpoint } from '../endpoints/endpoint.queries.js';
import { EndpointChecks } from '../endpoints/endpoint-checks.js';
import { findReplay } from '../endpoints/endpoint-traffic.queries.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { WebhookReplay } from '../webhook-replay.entity.js';
import {
  deliveryExpired,
  deliveryNotFound,
  deliveryPending,
  endpointDisabled,
  endpointNotFound,
  noReplay,
  replayUnderWay,
  sinceInFuture,
  sinceTooOld,
} from '../webhooks.errors.js';
import { WebhookTestEvent } from '../webhooks.events.js';
import { eventExists, insertDirectDelivery, lockDelivery, requeueDelivery } from './delivery-control.queries.js';
import { type Delivery, type DeliveryFilter, findDeliveries, findDelivery } from './delivery-log.queries.js';
import { cancelReplay, startReplay } from './replay.queries.js';

/** Lists an endpoint's deliveries, and delivers on demand: a test event, a redelivery, or a replay of past events. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: DrainQueue,
    private readonly checks: EndpointChecks,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** An endpoint's deliveries with their attempts, newest first. @throws DomainError `not_found` */
  async list(caller: Caller, endpointId: string, filter: DeliveryFilter, page: Page): Promise<Paged<Delivery>> {
    const { accountId } = caller;
    const reads = this.unitOfWork.reads(accountId);
    if ((await findEndpoint(accountId, endpointId, reads)) === null) throw endpointNotFound(endpointId);
    const paged = await findDeliveries(accountId, endpointId, filter, page, reads);
    return { ...paged, rows: paged.rows.map((delivery) => this.shown(delivery, caller)) };
  }

  /** @throws DomainError `not_found` */
  async find(caller: Caller, endpointId: string, deliveryId: string): Promise<Delivery> {
    const { accountId } = caller;
    const delivery = await findDelivery(accountId, endpointId, deliveryId, this.unitOfWork.reads(accountId));
    if (delivery === null) throw deliveryNotFound(endpointId, deliveryId);
    return this.shown(delivery, caller);
  }

  /**
   * Sends a test event to one endpoint, whatever it is subscribed to.
   *
   * @returns the id of its delivery
   * @throws DomainError `not_found`; `conflict` when the endpoint is disabled
   */
  async test(accountId: string, endpointId: string): Promise<RecordId> {
    const deliveryId = newRecordId();
    const occurredAt = now();
    const event = {
      id: newRecordId(),
      kind: WebhookTestEvent.kind,
      occurredAt,
      body: JSON.stringify(new WebhookTestEvent(occurredAt)),
    };
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const { retryCount } = requireActive(await findEndpoint(accountId, endpointId, tx), endpointId);
      await insertDirectDelivery(accountId, { endpointId, deliveryId, retries: retryCount }, event, tx);
      const changes = { delivery_id: deliveryId };
      await AuditLog.write(accountId, { action: 'webhook.tested', subjectId: endpointId, changes }, tx);
      await noteRecordOfKey(deliveryId, tx);
    });
    this.queue.add([{ accountId, endpointId }]);
    return deliveryId;
  }

  /**
   * Redelivers the same bytes with the same `webhook-id` and a full set of retries.
   *
   * @throws DomainError `not_found`; `forbidden`; `conflict` while it is pending, after its event has expired, or when the
   *   endpoint is disabled
   */
  async redeliver({ accountId, scopes }: Caller, endpointId: string, deliveryId: string): Promise<void> {
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const { retryCount } = requireActive(await findEndpoint(accountId, endpointId, tx), endpointId);
      const delivery = await lockDelivery(accountId, endpointId, deliveryId, tx);
      if (delivery === null) throw deliveryNotFound(endpointId, deliveryId);
      this.checks.requireReading(scopes, [delivery.kind]);
      if (delivery.status === 'pending') throw deliveryPending(deliveryId);
      if (!(await eventExists(accountId, delivery.eventId, tx))) throw deliveryExpired(deliveryId);
      await requeueDelivery(accountId, deliveryId, retryCount, now(), tx);
      const changes = { delivery_id: deliveryId };
      await AuditLog.write(accountId, { action: 'webhook.redelivered', subjectId: endpointId, changes }, tx);
      await noteRecordOfKey(deliveryId, tx);
    });
    this.queue.add([{ accountId, endpointId }]);
  }

  /**
   * Starts a replay of past events, in the background and oldest first.
   *
   * @param kinds null: those that the endpoint is subscribed to
   * @throws DomainError `not_found`; `bad_request` for a time in the future or before the retention period;
   *   `conflict` when a replay is already running or the endpoint is disabled
   */
  async replay(
    { accountId, scopes }: Caller,
    endpointId: string,
    since: Date,
    kinds: readonly string[] | null,
  ): Promise<WebhookReplay> {
    const at = now();
    const { retentionDays } = this.environment;
    if (since > at) throw sinceInFuture(since);
    if (since.getTime() < at.getTime() - retentionDays * DAY) throw sinceTooOld(since, retentionDays);
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const { subscribedEvents } = requireActive(await findEndpoint(accountId, endpointId, tx), endpointId);
      this.checks.requireReading(scopes, kinds ?? subscribedEvents);
      const replay = {
        accountId,
        endpointId,
        since,
        kinds: [...new Set(kinds ?? subscribedEvents)],
        doneUntil: lowestIdAt(since),
        endsBefore: lowestIdAt(at),
      };
      if (!(await startReplay(replay, tx))) throw replayUnderWay(endpointId);
      const changes = { since: since.toISOString(), events: replay.kinds };
      await AuditLog.write(accountId, { action: 'webhook.replayed', subjectId: endpointId, changes }, tx);
      await noteRecordOfKey(endpointId, tx);
      const started = await findReplay(accountId, endpointId, tx);
      if (started === null) throw endpointNotFound(endpointId);
      return started;
    });
  }

  /**
   * Cancels the running replay. Deliveries that it has created stay.
   *
   * @throws DomainError `not_found`; `conflict` when no replay is running
   */
  async cancelReplay(accountId: string, endpointId: string): Promise<WebhookReplay> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if ((await findEndpoint(accountId, endpointId, tx)) === null) throw endpointNotFound(endpointId);
      const replay = (await cancelReplay(accountId, endpointId, tx)) && (await findReplay(accountId, endpointId, tx));
      if (!replay) throw noReplay(endpointId);
      const changes = { replayed: replay.replayed };
      await AuditLog.write(accountId, { action: 'webhook.replay_cancelled', subjectId: endpointId, changes }, tx);
      return replay;
    });
  }

  /** @throws DomainError `not_found` when the endpoint never had a replay */
  async lastReplay(accountId: string, endpointId: string): Promise<WebhookReplay> {
    const replay = await findReplay(accountId, endpointId, this.unitOfWork.reads(accountId));
    if (replay === null) throw endpointNotFound(endpointId);
    return replay;
  }

  /** A delivery without what the receiver responded, which it may repeat, unless the caller may read what was sent. */
  private shown(delivery: Delivery, { scopes }: Caller): Delivery {
    if (this.checks.mayRead(scopes, delivery.kind)) return delivery;
    return { ...delivery, attempts: delivery.attempts.map((attempt) => ({ ...attempt, response: null })) };
  }
}

function requireActive(endpoint: WebhookEndpoint | null, endpointId: string): WebhookEndpoint {
  if (endpoint === null) throw endpointNotFound(endpointId);
  if (endpoint.status === 'disabled') throw endpointDisabled(endpoint);
  return endpoint;
}
