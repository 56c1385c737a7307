import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { MINUTE } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import { AttemptLimit, ENDPOINT_LIMIT, PROCESS_LIMIT, paceOf } from './attempt-limit.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { DeliveryAttempt } from './delivery.queries.js';
import { DeliveryLane, TenantLanes } from './delivery-lane.js';
import { DeliverySender } from './delivery-sender.js';
import { DueDeliveriesService, type LeasedDelivery } from './due-deliveries.service.js';
import type { FirstAttempts } from './fan-out.queries.js';
import { RetryAlarm } from './retry-alarm.js';

/** How long a stopping process waits for responses, and then for the database, milliseconds. */
const RESPONSES_PATIENCE_MS = 5000;
const DATABASE_PATIENCE_MS = 5000;

const NO_ATTEMPTS: FirstAttempts = { perNewEndpoint: 0, byEndpoint: new Map(), fullAccounts: [] };

/** Concurrent statements that lease deliveries. They share the connection pool with everything else. */
const MAX_LEASES = 3;

/**
 * Delivers webhooks to endpoints. Each endpoint with due deliveries has a lane. A lane leases only as many deliveries
 * as it may attempt right away. So leased deliveries never wait in memory, and an endpoint gets nothing more once it
 * is disabled. Limits bound the concurrent attempts per endpoint, per tenant and in the process. Lanes take free room
 * in turn, so hanging endpoints slow down only their own tenant.
 */
@Injectable()
export class DeliveryPool implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryPool.name);
  /** Failing leases are retried every second but logged only once a minute. */
  private readonly failedLeases = new OncePer(MINUTE);
  private readonly lanes = new Map<string, DeliveryLane>();
  private readonly tenants = new Map<string, TenantLanes>();
  /** Lanes ready to lease, in order. */
  private readonly ready = new Set<DeliveryLane>();
  private readonly inProgress = new Set<LeasedDelivery>();
  private readonly retries = new RetryAlarm((endpoint, since) => this.wake(endpoint, since));
  /** Counts attempts in progress, plus those that leases in progress may return. */
  private readonly limit = new AttemptLimit(PROCESS_LIMIT);
  private readonly leases = new Set<Promise<void>>();
  private stopping = false;
  private abandoned = false;
  private onIdle: (() => void) | null = null;

  constructor(
    private readonly due: DueDeliveriesService,
    private readonly sender: DeliverySender,
    private readonly recorder: AttemptRecorder,
  ) {}

  /**
   * Delivers what is due to an endpoint. Returns immediately: callers never wait for a receiver.
   *
   * @param since the lowest id that may be due; fresh deliveries are always looked at
   */
  wake({ accountId, endpointId }: EndpointKey, since?: string): void {
    if (this.stopping) return;
    const lane = this.lanes.get(endpointId) ?? this.openLane(accountId, endpointId);
    lane.markDue(since);
    this.enqueue(lane);
    this.advance();
  }

  /**
   * How many fresh deliveries could be leased as they are created, and attempted right away. A lane with a backlog gets
   * none: older first.
   */
  firstAttempts(): FirstAttempts {
    const { room } = this.limit;
    if (this.stopping || room === 0) return NO_ATTEMPTS;
    const byEndpoint = new Map<string, number>();
    for (const [endpointId, lane] of this.lanes) {
      const isBehind = lane.mayHaveDue || lane.leasing || lane.tenant.parked.has(lane);
      byEndpoint.set(endpointId, isBehind ? 0 : Math.min(room, lane.limit.room, lane.tenant.limit.room));
    }
    const fullAccounts = [...this.tenants.values()].filter(({ limit }) => limit.room === 0);
    return {
      perNewEndpoint: Math.min(room, ENDPOINT_LIMIT.initial),
      byEndpoint,
      fullAccounts: fullAccounts.map(({ accountId }) => accountId),
    };
  }

  /**
   * Attempts deliveries leased to this process, as far as there is room.
   *
   * @returns the deliveries without room, whose leases the caller must release
   */
  begin(deliveries: readonly LeasedDelivery[]): LeasedDelivery[] {
    return deliveries.filter((delivery) => {
      const { accountId, endpointId } = delivery;
      const lane = this.lanes.get(endpointId) ?? this.openLane(accountId, endpointId);
      const hasRoom = lane.limit.room > 0 && lane.tenant.limit.room > 0 && this.limit.room > 0;
      if (this.stopping || !hasRoom) {
        this.enqueue(lane);
        return true;
      }
      this.take(lane, 1);
      void this.attempt(lane, delivery);
      return false;
    });
  }

  /**
   * Stops leasing, waits a few seconds for outstanding responses, and releases the remaining leases, so that another
   * process can attempt those deliveries immediately instead of when their leases expire.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.retries.stop();
    await Promise.all(this.leases);
    await this.waitForResponses(RESPONSES_PATIENCE_MS);
    this.abandoned = true;
    await this.recorder.close(DATABASE_PATIENCE_MS);
    await this.due.release([...this.inProgress]).catch((error: Error) => {
      this.logger.warn(`${this.inProgress.size} deliveries must wait for their leases to expire: ${error.message}`);
    });
  }

  private openLane(accountId: string, endpointId: string): DeliveryLane {
    const tenant = this.tenants.get(accountId) ?? new TenantLanes(accountId);
    this.tenants.set(accountId, tenant);
    tenant.lanes += 1;
    const lane = new DeliveryLane(tenant, endpointId);
    this.lanes.set(endpointId, lane);
    return lane;
  }

  /** Queues a lane if it should lease now; closes it if it has nothing left to do. */
  private enqueue(lane: DeliveryLane): void {
    if (lane.finished) this.closeLane(lane);
    else if (lane.mayHaveDue && !lane.leasing && lane.limit.worthLeasing && !lane.tenant.parked.has(lane)) {
      this.ready.add(lane);
    }
  }

  private closeLane(lane: DeliveryLane): void {
    const { tenant, endpointId } = lane;
    if (this.lanes.get(endpointId) !== lane) return;
    this.lanes.delete(endpointId);
    this.ready.delete(lane);
    tenant.parked.delete(lane);
    tenant.lanes -= 1;
    if (tenant.lanes === 0) this.tenants.delete(tenant.accountId);
  }

  /**
   * Lets queued lanes lease in turn, as far as there is room. Even if hanging attempts fill a limit, each lane keeps a
   * share of its tenant's limit, and each tenant a share of the process.
   */
  private advance(): void {
    for (const lane of this.ready) {
      if (this.stopping || this.leases.size >= MAX_LEASES) return;
      const { limit, tenant } = lane;
      const ofTenant = Math.min(limit.room, tenant.limit.roomFor(limit, tenant.lanes));
      const room = Math.min(ofTenant, this.limit.roomFor(tenant.limit, this.tenants.size));
      // The process is full: the lane stays queued.
      if (ofTenant > 0 && room === 0) continue;
      this.ready.delete(lane);
      if (room > 0) this.startLease(lane, room);
      else if (limit.room > 0) tenant.parked.add(lane);
    }
  }

  private startLease(lane: DeliveryLane, room: number): void {
    this.take(lane, room);
    const lease = this.lease(lane, lane.startLease(), room).then((leased) => {
      this.leases.delete(lease);
      lane.leasing = false;
      this.giveBack(lane, room - leased.length);
      for (const delivery of leased) void this.attempt(lane, delivery);
      this.unparkNext(lane.tenant);
      this.enqueue(lane);
      this.advance();
    });
    this.leases.add(lease);
  }

  private async lease(lane: DeliveryLane, since: string, room: number): Promise<LeasedDelivery[]> {
    try {
      const leased = await this.due.lease(lane.accountId, lane.endpointId, since, room);
      if (leased.length === room) lane.markDue(since);
      if (!this.stopping) return leased;
      await this.due.release(leased);
    } catch (error) {
      // The sweep finds the endpoint again, at the latest when the leases expire.
      if (this.failedLeases.allows(lane.endpointId)) {
        this.logger.warn(`leasing deliveries for webhook ${lane.endpointId} failed: ${(error as Error).message}`);
      }
    }
    return [];
  }

  private take(lane: DeliveryLane, count: number): void {
    this.limit.take(count);
    lane.limit.take(count);
    lane.tenant.limit.take(count);
  }

  private giveBack(lane: DeliveryLane, count: number): void {
    this.limit.giveBack(count);
    lane.limit.giveBack(count);
    lane.tenant.limit.giveBack(count);
  }

  private async attempt(lane: DeliveryLane, delivery: LeasedDelivery): Promise<void> {
    this.inProgress.add(delivery);
    const result = await this.sender.attempt(delivery);
    // Its lease was released, and an error from the closed client says nothing about the receiver.
    if (this.abandoned) return;
    this.inProgress.delete(delivery);
    const pace = paceOf(result.verdict !== 'retryable', result.durationMs / delivery.timeoutMs);
    for (const limit of [lane.limit, lane.tenant.limit, this.limit]) limit.settle(pace);
    void this.record(result);
    this.unparkNext(lane.tenant);
    lane.tenant.parked.delete(lane);
    this.enqueue(lane);
    this.advance();
    if (this.inProgress.size === 0) this.onIdle?.();
  }

  private async record(result: DeliveryAttempt): Promise<void> {
    try {
      await this.recorder.record(result);
      if (result.next.status === 'pending' && !this.stopping) this.retries.set(result, result.next.delayMs);
    } catch (error) {
      // When its lease expires, it is delivered again.
      this.logger.error(`the result of delivery ${result.deliveryId} was lost: ${(error as Error).message}`);
    }
  }

  /** Queues the lane that has waited longest for its tenant's limit. */
  private unparkNext({ parked }: TenantLanes): void {
    for (const lane of parked) {
      parked.delete(lane);
      this.enqueue(lane);
      if (this.ready.has(lane)) return;
    }
  }

  private async waitForResponses(patienceMs: number): Promise<void> {
    if (this.inProgress.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
