import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { findBodies } from '../../outbox/outbox.queries.js';
import { secretPlace } from '../endpoints/endpoint-secrets.js';
import { deliveriesSince } from '../log/delivery-range.js';
import { type ClaimedRow, claimDue, releaseLeases } from './delivery.queries.js';
import { type FanOutResult, type FirstAttempts, fanOutEvents } from './fan-out.queries.js';
import type { SigningSecrets } from './webhook-signature.js';

/** A delivery that this process must attempt now. */
export interface ClaimedDelivery {
  readonly accountId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly retriesLeft: number;
  readonly leaseUntil: Date;
  /** The request body, the same bytes for every attempt; null when the event is no longer kept. */
  readonly body: Buffer | null;
  readonly url: string;
  readonly timeoutMs: number;
  /** Whether all attempts since the endpoint's last success have failed. */
  readonly isFailing: boolean;
  /** Null for an endpoint without a secret; `unreadable` if its secret cannot be decrypted. */
  readonly secrets: SigningSecrets | null | 'unreadable';
}

/** Deliveries that were just created. */
export interface FreshDeliveries extends Pick<FanOutResult, 'taken' | 'waiting'> {
  /** Those that this process must attempt now. */
  readonly leased: readonly ClaimedDelivery[];
}

type LeasedRow = FanOutResult['leased'][number];

/** Claims due deliveries. Endpoints are read with each claim, so a change applies from the next attempt on. */
@Injectable()
export class DueDeliveriesService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly secrets: SecretBox,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @param since the lowest delivery id to look at */
  async claim(accountId: string, endpointId: string, since: string, limit: number): Promise<ClaimedDelivery[]> {
    const range = deliveriesSince(since);
    const { leaseMs } = this.environment;
    const rows = await claimDue(accountId, endpointId, range, limit, leaseMs, this.pipeline.autocommit);
    if (rows.length === 0) return [];
    const bodies = await this.bodiesOf(accountId, rows);
    return this.toClaimed(
      rows.map((row) => ({ ...row, accountId, endpointId, body: bodies.get(row.eventId) ?? null })),
    );
  }

  /**
   * Takes up to `limit` events out of the outbox and creates their deliveries.
   *
   * @param room how many of them this process can attempt right away
   */
  async fanOut(limit: number, room: FirstAttempts): Promise<FreshDeliveries> {
    const { leaseMs } = this.environment;
    const { taken, leased, waiting } = await fanOutEvents(limit, room, leaseMs, this.pipeline.autocommit);
    return { taken, leased: this.toClaimed(leased), waiting };
  }

  /** Releases the leases of deliveries that this process will not finish. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const byAccount = new Map<string, ClaimedDelivery[]>();
    for (const delivery of deliveries) {
      byAccount.set(delivery.accountId, [...(byAccount.get(delivery.accountId) ?? []), delivery]);
    }
    for (const [accountId, held] of byAccount) await releaseLeases(accountId, held, this.pipeline.autocommit);
  }

  private async bodiesOf(accountId: string, rows: readonly ClaimedRow[]): Promise<Map<string, string>> {
    const { autocommit } = this.pipeline;
    const eventIds = rows.map(({ eventId }) => eventId);
    try {
      return await findBodies(accountId, eventIds, autocommit);
    } catch (error) {
      const leases = rows.map(({ id, leaseUntil }) => ({ deliveryId: id, leaseUntil }));
      await releaseLeases(accountId, leases, autocommit).catch(() => undefined);
      throw error;
    }
  }

  /** Decrypts the secrets, once per endpoint. */
  private toClaimed(rows: readonly LeasedRow[]): ClaimedDelivery[] {
    const secrets = new Map<string, ClaimedDelivery['secrets']>();
    return rows.map((row) => {
      const { accountId, endpointId } = row;
      const opened = secrets.get(endpointId) ?? this.openSecrets(accountId, endpointId, row);
      secrets.set(endpointId, opened);
      return {
        accountId,
        endpointId,
        deliveryId: row.id,
        eventId: row.eventId,
        attempt: row.attemptCount + 1,
        retriesLeft: row.retriesLeft,
        leaseUntil: row.leaseUntil,
        body: row.body === null ? null : Buffer.from(row.body, 'utf8'),
        url: row.url,
        timeoutMs: row.timeout * 1000,
        isFailing: row.isFailing,
        secrets: opened,
      };
    });
  }

  private openSecrets(accountId: string, endpointId: string, row: ClaimedRow): ClaimedDelivery['secrets'] {
    if (row.secret === null) return null;
    const place = secretPlace(accountId, endpointId);
    const current = this.decrypt(row.secret, place);
    if (current === null) return 'unreadable';
    // Only the current secret must be readable: few receivers still need the previous one, and soon none will.
    return { current, previous: row.previousSecret === null ? null : this.decrypt(row.previousSecret, place) };
  }

  private decrypt(sealed: string, place: SecretPlace): string | null {
    try {
      return this.secrets.open(sealed, place);
    } catch (error) {
      if (error instanceof UnreadableSecret) return null;
      throw error;
    }
  }
}
