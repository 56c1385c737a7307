import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { SecretBox } from '../database/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type ClaimedRow, claimDue, releaseLeases } from './delivery.queries.js';
import { secretPlace } from './endpoint-secrets.js';
import type { SigningSecrets } from './webhook-signature.js';

/** A delivery that this process is to attempt now. */
export interface ClaimedDelivery {
  readonly accountId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  /** Which attempt this will be, from 1. */
  readonly attempt: number;
  readonly retriesLeft: number;
  readonly leaseUntil: Date;
  /** The bytes that every attempt sends; null when the log keeps the event no more. */
  readonly body: Buffer | null;
  readonly url: string;
  readonly timeoutMs: number;
  readonly secrets: SigningSecrets | null;
}

/** Claims due deliveries; endpoints are read with each claim, so a change to one counts from the next attempt on. */
@Injectable()
export class DueDeliveries {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async claim(accountId: string, endpointId: string, limit: number): Promise<ClaimedDelivery[]> {
    const { leaseMs } = this.environment;
    const rows = await claimDue(accountId, endpointId, limit, leaseMs, this.unitOfWork.autocommit);
    const [first] = rows;
    if (first === undefined) return [];
    const secrets = this.open(accountId, endpointId, first);
    return rows.map((row) => ({
      accountId,
      endpointId,
      deliveryId: row.id,
      eventId: row.event_id,
      attempt: row.attempt_count + 1,
      retriesLeft: row.retries_left,
      leaseUntil: row.lease_until,
      body: row.body === null ? null : Buffer.from(row.body, 'utf8'),
      url: row.url,
      timeoutMs: row.timeout * 1000,
      secrets,
    }));
  }

  /** Gives deliveries back that were claimed and will not be finished here. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const byAccount = new Map<string, ClaimedDelivery[]>();
    for (const delivery of deliveries) {
      byAccount.set(delivery.accountId, [...(byAccount.get(delivery.accountId) ?? []), delivery]);
    }
    for (const [accountId, held] of byAccount) await releaseLeases(accountId, held, this.unitOfWork.autocommit);
  }

  private open(accountId: string, endpointId: string, row: ClaimedRow): SigningSecrets | null {
    if (row.secret === null) return null;
    const place = secretPlace(accountId, endpointId);
    return {
      current: this.secrets.open(row.secret, place),
      previous: row.previous_secret === null ? null : this.secrets.open(row.previous_secret, place),
    };
  }
}
