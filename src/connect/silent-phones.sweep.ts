import { Injectable, type OnModuleInit } from '@nestjs/common';
import { findAccountIds } from '../accounts/account.queries.js';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { Metrics } from '../runtime/metrics.js';
import { MINUTE, now } from '../values/clock.js';
import { findTraffic } from './phone-traffic.queries.js';

/** Accounts per batch. */
const BATCH = 1000;

/** Counts the phones that have been sending for an hour without a report, for a metric. It only reads. */
@Injectable()
export class SilentPhonesSweep extends Sweep implements OnModuleInit {
  private silent = 0;

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly metrics: Metrics,
  ) {
    super(5 * MINUTE);
  }

  onModuleInit(): void {
    const silentPhones = {
      name: 'parley_silent_phones',
      help: 'Business phones that have been sending for an hour without any report; from the worker that sweeps',
    };
    this.metrics.gauge(silentPhones, () => (this.isLeading ? [{ value: this.silent }] : []));
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    let silent = 0;
    for (let last: string | null = null; !this.isStopping; ) {
      const accountIds: readonly string[] = await findAccountIds(last, BATCH, autocommit);
      await this.forEach(
        accountIds,
        (accountId) => `phones of account ${accountId}`,
        async (accountId) => {
          const phones = await this.phones.list(accountId);
          const traffic = phones.length === 0 ? new Map() : await findTraffic(accountId, now(), autocommit);
          silent += phones.filter(({ id }) => traffic.get(id)?.silentSince instanceof Date).length;
        },
      );
      last = accountIds.at(-1) ?? null;
      if (accountIds.length < BATCH) break;
    }
    this.silent = silent;
  }
}
