import { Injectable } from '@nestjs/common';
import { Metrics, type Reading } from '../runtime/metrics.js';
import { batchReadings } from './batching/micro-batch.js';
import type { AccountTurns } from './connections/account-turns.js';
import type { BoundedPool } from './connections/bounded-pool.js';
import { Connections } from './connections/connections.js';
import { silenceWatch } from './connections/silence-watch.js';
import { statementsEnded } from './connections/watched-client.js';
import { SecretBox } from './secrets/secret-box.js';
import { UnitOfWork } from './unit-of-work.js';

/** Seconds; most waits are for a statement of a few milliseconds. */
const WAIT_BUCKETS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/**
 * Metrics of this process's connections, of their use, of what waits for them, and of what timed out or was refused; and
 * of stored secrets that could not be decrypted.
 */
@Injectable()
export class DatabaseMetrics {
  private readonly pools: Readonly<Record<string, BoundedPool>>;
  private readonly turns: Readonly<Record<string, AccountTurns>>;

  constructor(
    private readonly metrics: Metrics,
    connections: Connections,
    unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {
    const { control, reads, pipeline, background, readTurns, writeTurns } = connections;
    this.pools = { control, reads, writes: unitOfWork.pool as BoundedPool, pipeline, background };
    this.turns = { reads: readTurns, writes: writeTurns };
    this.showPools();
    this.showTurns();
    this.showBatches();
    this.showDeadlines();
    this.showUnreadableSecrets();
  }

  private showPools(): void {
    const all = (value: (pool: BoundedPool) => number): Reading[] =>
      Object.entries(this.pools).map(([purpose, pool]) => ({ labels: { purpose }, value: value(pool) }));
    const labels = ['purpose'];
    this.metrics.gauge({ name: 'parley_db_connections', help: 'Connections to PostgreSQL', labels }, () =>
      all((pool) => pool.totalCount),
    );
    this.metrics.gauge({ name: 'parley_db_connections_idle', help: 'Idle connections to PostgreSQL', labels }, () =>
      all((pool) => pool.idleCount),
    );
    this.metrics.gauge({ name: 'parley_db_pool_waiting', help: 'Statements waiting for a connection', labels }, () =>
      all((pool) => pool.waitingCount),
    );
    this.metrics.total({ name: 'parley_db_pool_refusals_total', help: 'Statements refused a connection', labels }, () =>
      all((pool) => pool.refusals),
    );
    const waits = this.metrics.histogram(
      { name: 'parley_db_pool_wait_seconds', help: 'Time spent waiting for a connection when none was free', labels },
      WAIT_BUCKETS,
    );
    for (const [purpose, pool] of Object.entries(this.pools)) {
      const ofPurpose = waits.labels(purpose);
      pool.observeWaits((seconds) => ofPurpose.observe(seconds));
    }
  }

  private showTurns(): void {
    const all = (value: (turns: AccountTurns) => number): Reading[] =>
      Object.entries(this.turns).map(([purpose, turns]) => ({ labels: { purpose }, value: value(turns) }));
    const labels = ['purpose'];
    this.metrics.gauge(
      { name: 'parley_db_turns_waiting', help: 'Operations waiting for their account’s turn', labels },
      () => all(({ depth }) => depth),
    );
    this.metrics.total(
      { name: 'parley_db_turn_refusals_total', help: 'Operations refused while waiting for their turn', labels },
      () => all(({ refusals }) => refusals),
    );
  }

  private showBatches(): void {
    const labels = ['batch'];
    this.metrics.gauge({ name: 'parley_batch_depth', help: 'Items waiting for their batch', labels }, () =>
      batchReadings().map(({ name, depth }) => ({ labels: { batch: name }, value: depth })),
    );
    this.metrics.gauge(
      { name: 'parley_batch_age_seconds', help: 'How long the oldest item has waited for its batch', labels },
      () => batchReadings().map(({ name, ageMs }) => ({ labels: { batch: name }, value: ageMs / 1000 })),
    );
    this.metrics.gauge(
      {
        name: 'parley_batch_tenants_apart',
        help: 'Tenants flushed separately because their items hit locks or failed',
        labels,
      },
      () => batchReadings().map(({ name, isolated }) => ({ labels: { batch: name }, value: isolated })),
    );
  }

  private showDeadlines(): void {
    this.metrics.total(
      {
        name: 'parley_db_connections_destroyed_total',
        help: 'Connections destroyed because they, or others to the same server, missed a deadline',
        labels: ['reason'],
      },
      () => [
        { labels: { reason: 'deadline' }, value: silenceWatch.misses },
        { labels: { reason: 'suspect' }, value: silenceWatch.suspects },
      ],
    );
    this.metrics.total(
      {
        name: 'parley_db_deadline_misses_total',
        help: 'Statements, lock waits and idle transactions that PostgreSQL ended at their deadline',
        labels: ['deadline'],
      },
      () => [...statementsEnded].map(([deadline, value]) => ({ labels: { deadline }, value })),
    );
  }

  private showUnreadableSecrets(): void {
    this.metrics.total(
      {
        name: 'parley_unreadable_secrets_total',
        help: 'Stored secrets that no configured encryption key could decrypt, each time they were needed',
        labels: ['column'],
      },
      () => [...this.secrets.failures].map(([column, value]) => ({ labels: { column }, value })),
    );
  }
}
