import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Metrics, type Readings } from '../runtime/metrics.js';
import { now } from '../values/clock.js';
import { timeOfRecordId } from '../values/record-id.js';
import { type BacklogRow, findBacklog } from './backlog.queries.js';
import { FreshReading } from './fresh-reading.js';

/** Milliseconds that the statement may take. */
const STATEMENT_MS = 500;
/** Milliseconds that a scrape waits for it, with its connection. */
const PATIENCE_MS = 1000;

/**
 * Metrics of what waits in the tables: how far each kind of work is behind. One statement reads them all. It runs on the
 * background connections: there may be only one control connection, and a slow statement would hold up every request.
 */
@Injectable()
export class BacklogMetrics {
  private readonly backlog: FreshReading<BacklogRow | null>;

  constructor(
    private readonly metrics: Metrics,
    unitOfWork: BackgroundUnitOfWork,
  ) {
    const read = () => unitOfWork.transaction((tx) => findBacklog(tx), { statementMs: STATEMENT_MS });
    this.backlog = new FreshReading(read, PATIENCE_MS);
    this.showLags();
    this.showCampaigns();
  }

  private showLags(): void {
    this.lag(
      'parley_dispatch_lag_seconds',
      'How long the longest waiting campaign recipient has been due',
      (backlog) => backlog.recipientDueAt,
    );
    this.lag('parley_outbox_lag_seconds', 'Age of the oldest event in the outbox', ({ oldestEventId }) =>
      oldestEventId === null ? null : timeOfRecordId(oldestEventId),
    );
    this.lag(
      'parley_delivery_lag_seconds',
      'How long the longest overdue webhook delivery has been due',
      (backlog) => backlog.deliveryDueAt,
    );
    this.lag(
      'parley_lease_overdue_seconds',
      'How long ago the oldest lease on claimed recipients expired without anybody continuing',
      (backlog) => backlog.leaseUntil,
    );
  }

  /** @param sinceOf when the oldest item was due; null or in the future: nothing waits */
  private lag(name: string, help: string, sinceOf: (backlog: BacklogRow) => Date | null): void {
    this.metrics.gauge({ name, help }, async () => {
      const backlog = await this.backlog.get();
      const since = backlog === null ? null : sinceOf(backlog);
      return [{ value: since === null ? 0 : Math.max(0, now().getTime() - since.getTime()) / 1000 }];
    });
  }

  private showCampaigns(): void {
    const campaigns = { name: 'parley_campaigns_running', help: 'Running campaigns', labels: ['state'] };
    this.metrics.gauge(campaigns, async (): Promise<Readings> => {
      const backlog = await this.backlog.get();
      if (backlog === null) return [];
      const { sending, closed, paused } = backlog;
      return Object.entries({ sending, closed, paused }).map(([state, value]) => ({ labels: { state }, value }));
    });
  }
}
