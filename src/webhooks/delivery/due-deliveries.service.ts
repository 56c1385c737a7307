import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { findBodies } from '../../outbox/outbox.queries.js';
import { headersPlace, type OwnHeaders } from '../endpoints/endpoint-headers.js';
import { secretPlace } from '../endpoints/endpoint-secrets.js';
import { type LeasedRow, leaseDue, releaseLeases } from './delivery.queries.js';
import { deliveriesSince } from './delivery-range.js';
import { type FanOutResult, type FirstAttempts, fanOutEvents } from './fan-out.queries.js';
import type { SigningSecrets } from './webhook-signature.js';

/** A delivery that this process must attempt now. */
export interface LeasedDelivery {
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
  readonly credentials: Credentials | UnreadableCredentials;
}

/** What a delivery proves its sender with. */
export interface Credentials {
  /** Null for an endpoint without a secret. */
  readonly secrets: SigningSecrets | null;
  /** The endpoint's own headers. */
  readonly headers: OwnHeaders;
}

/** What is sealed at the endpoint cannot be decrypted. */
export interface UnreadableCredentials {
  readonly unreadable: 'secret' | 'headers';
}

/** Deliveries that were just created. */
export interface FreshDeliveries extends Pick<FanOutResult, 'taken' | 'waiting'> {
  /** Those that this process must attempt now. */
  readonly leased: readonly LeasedDelivery[];
}

type FreshRow = FanOutResult['leased'][number];

/** Leases due deliveries to this process. Endpoints are read with them, so a change applies from the next attempt on. */
@Injectable()
export class DueDeliveriesService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly secrets: SecretBox,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @param since the lowest delivery id to look at */
  async lease(accountId: string, endpointId: string, since: string, limit: number): Promise<LeasedDelivery[]> {
    const range = deliveriesSince(since);
    const { leaseMs } = this.environment;
    const rows = await leaseDue(accountId, endpointId, range, limit, leaseMs, this.pipeline.autocommit);
    if (rows.length === 0) return [];
    const bodies = await this.bodiesOf(accountId, rows);
    return this.toLeased(rows.map((row) => ({ ...row, accountId, endpointId, body: bodies.get(row.eventId) ?? null })));
  }

  /**
   * Takes up to `limit` events out of the outbox and creates their deliveries.
   *
   * @param room how many of them this process can attempt right away
   */
  async fanOut(limit: number, room: FirstAttempts): Promise<FreshDeliveries> {
    const { leaseMs } = this.environment;
    const { taken, leased, waiting } = await fanOutEvents(limit, room, leaseMs, this.pipeline.autocommit);
    return { taken, leased: this.toLeased(leased), waiting };
  }

  /** Releases the leases of deliveries that this process will not finish. */
  async release(deliveries: readonly LeasedDelivery[]): Promise<void> {
    const byAccount = new Map<string, LeasedDelivery[]>();
    for (const delivery of deliveries) {
      byAccount.set(delivery.accountId, [...(byAccount.get(delivery.accountId) ?? []), delivery]);
    }
    for (const [accountId, held] of byAccount) await releaseLeases(accountId, held, this.pipeline.autocommit);
  }

  private async bodiesOf(accountId: string, rows: readonly LeasedRow[]): Promise<Map<string, string>> {
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

  /** Decrypts secrets and headers, once per endpoint. */
  private toLeased(rows: readonly FreshRow[]): LeasedDelivery[] {
    const credentials = new Map<string, LeasedDelivery['credentials']>();
    return rows.map((row) => {
      const { accountId, endpointId } = row;
      const opened = credentials.get(endpointId) ?? this.openCredentials(accountId, endpointId, row);
      credentials.set(endpointId, opened);
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
        credentials: opened,
      };
    });
  }

  private openCredentials(accountId: string, endpointId: string, row: LeasedRow): LeasedDelivery['credentials'] {
    const secrets = this.openSecrets(accountId, endpointId, row);
    const headers = row.headers === null ? '{}' : this.decrypt(row.headers, headersPlace(accountId, endpointId));
    if (secrets === 'unreadable') return { unreadable: 'secret' };
    if (headers === null) return { unreadable: 'headers' };
    return { secrets, headers: JSON.parse(headers) as OwnHeaders };
  }

  private openSecrets(accountId: string, endpointId: string, row: LeasedRow): SigningSecrets | null | 'unreadable' {
    if (row.secret === null) return null;
    const place = secretPlace(accountId, endpointId);
    const current = this.decrypt(row.secret, place);
    if (current === null) return 'unreadable';
    // Only the current secret must be readable: few receivers still need the others, and soon none will.
    const sealed = [row.previousSecret, ...(row.olderSecrets ?? [])].filter((secret) => secret !== null);
    const replaced = sealed.map((secret) => this.decrypt(secret, place)).filter((secret) => secret !== null);
    return { current, replaced };
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
