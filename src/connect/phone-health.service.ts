import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { MINUTE, now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { Check } from './check.js';
import { PhoneConnectionService } from './phone-connection.service.js';
import { findTraffic, NO_TRAFFIC } from './phone-traffic.queries.js';

/** How long the checks of a phone are remembered, milliseconds. */
const REMEMBERED_MS = MINUTE;
const MAX_REMEMBERED = 1000;

/** Checks stored phones, each at most once a minute in this process. */
@Injectable()
export class PhoneHealthService {
  private readonly remembered = new Map<
    string,
    { readonly until: number; readonly checks: Promise<readonly Check[]> }
  >();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly connection: PhoneConnectionService,
  ) {}

  /**
   * The checks of a phone, at most a minute old.
   *
   * @throws DomainError `not_found`, UnreadableSecret (503)
   */
  checks(accountId: RecordId, phoneId: RecordId): Promise<readonly Check[]> {
    const key = `${accountId}/${phoneId}`;
    const known = this.remembered.get(key);
    if (known !== undefined && performance.now() < known.until) return known.checks;
    const checks = this.look(accountId, phoneId);
    this.forget(accountId, phoneId);
    const [oldest] = this.remembered.size < MAX_REMEMBERED ? [] : this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(key, { until: performance.now() + REMEMBERED_MS, checks });
    checks.catch(() => this.forget(accountId, phoneId));
    return checks;
  }

  /** Makes the next call look again, after a change. */
  forget(accountId: RecordId, phoneId: RecordId): void {
    this.remembered.delete(`${accountId}/${phoneId}`);
  }

  /** The checks of a phone as they are now. */
  async look(accountId: RecordId, phoneId: RecordId): Promise<readonly Check[]> {
    const traffic = await findTraffic(accountId, now(), this.unitOfWork.autocommit);
    return this.connection.check(accountId, phoneId, traffic.get(phoneId) ?? NO_TRAFFIC);
  }
}
