import { DatabaseUnavailable } from './database-unavailable.js';
import { isContention } from './transient-errors.js';

/** Maximum operations per account that run concurrently. */
const MAX_RUNNING = 2;
/** Maximum operations per account that wait. */
const MAX_WAITING = 1000;
/** Maximum operations of all accounts that wait. */
const MAX_WAITING_IN_ALL = 10_000;
/** How long an operation may wait for its turn, milliseconds. */
const MAX_WAIT_MS = 5000;
/** Half-life of an account's recent connection use, milliseconds. */
const HALF_LIFE_MS = 5000;
/** An account with less recent use than this is not busy, milliseconds: a fourteenth of one connection's time. */
const BUSY_MS = 500;
/** Nor is one with less than this fraction of the busiest running account's use: it is slowed down by that account. */
const BUSY_SHARE = 0.5;

/**
 * How long an account counts as busy after waiting for a lock, milliseconds: long enough for ten of them to take turns.
 */
const LOCKED_MS = 20_000;

/** When an account counts as busy, and must leave connections to others. */
export interface TurnRules {
  /**
   * By recent connection use, such as a burst of searches; or by lock waits, which its next operation will hit again.
   */
  readonly busyBy: 'use' | 'locks';
  /** Maximum operations of a busy account that run concurrently. */
  readonly maxRunningBusy: number;
  /**
   * Whether a busy account pauses after each operation for as long as that took, to leave CPU time to other accounts.
   */
  readonly restsWhenBusy: boolean;
}

/** The longest pause, milliseconds. */
const MAX_REST_MS = 1000;

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The state of one account while it has operations, and afterwards until its recent use has faded. */
class Tenant {
  readonly waiting = new Set<Waiting>();
  /** When its pause ends. */
  restsUntil = 0;
  /** When it last failed to get a lock. */
  lockedAt = Number.NEGATIVE_INFINITY;
  private atWork = 0;
  private used = 0;
  private usedAt = 0;

  /** Number of running operations. */
  get running(): number {
    return this.atWork;
  }

  /** Records that an operation has started (1) or ended (-1). */
  change(by: 1 | -1, now: number): void {
    this.used = this.recentUse(now);
    this.usedAt = now;
    this.atWork += by;
  }

  /** Recent connection use, milliseconds, including running operations. */
  recentUse(now: number): number {
    const since = now - this.usedAt;
    return this.used * 0.5 ** (since / HALF_LIFE_MS) + this.atWork * since;
  }

  /** Whether nothing about it matters any more. */
  isForgettable(now: number): boolean {
    return this.atWork === 0 && this.waiting.size === 0 && this.recentUse(now) < 1 && now - this.lockedAt > LOCKED_MS;
  }
}

/**
 * Decides whose operation runs next on connections that all accounts share. Each account runs at most two, and waiting
 * accounts are served round-robin, however many operations each has. Busy accounts (with many searches, or with writes
 * that wait for a lock) never hold all connections: the last one is reserved for others, whose operations are short.
 */
export class AccountTurns {
  private readonly tenants = new Map<string, Tenant>();
  /** Accounts with waiting operations, least recently served first. */
  private readonly line = new Set<Tenant>();
  private readonly atWork = new Set<Tenant>();
  private running = 0;
  private waiting = 0;
  private tidiedAt = 0;
  /** Number of refused operations since the process started. */
  refusals = 0;

  /** @param capacity number of connections; one operation runs on each */
  constructor(
    private readonly capacity: number,
    private readonly rules: TurnRules,
  ) {}

  /** Number of waiting operations. */
  get depth(): number {
    return this.waiting;
  }

  /**
   * Runs `work`, which uses one connection, when it is the account's turn.
   *
   * @throws DatabaseUnavailable when too many operations are waiting, or its turn does not come in time
   */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const tenant = this.tenantOf(accountId);
    if (this.line.size > 0 || !this.mayStart(tenant, performance.now())) await this.wait(tenant);
    else this.start(tenant);
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      if (isContention(error)) tenant.lockedAt = performance.now();
      throw error;
    } finally {
      this.end(tenant, startedAt);
    }
  }

  /** Treats an account like one that has waited for a lock. */
  markBusy(accountId: string): void {
    this.tenantOf(accountId).lockedAt = performance.now();
  }

  private tenantOf(accountId: string): Tenant {
    const known = this.tenants.get(accountId);
    if (known !== undefined) return known;
    const tenant = new Tenant();
    this.tenants.set(accountId, tenant);
    return tenant;
  }

  private mayStart(tenant: Tenant, now: number): boolean {
    if (now < tenant.restsUntil) return false;
    const isBusy = this.isBusy(tenant, now);
    if (tenant.running >= (isBusy ? this.rules.maxRunningBusy : MAX_RUNNING)) return false;
    const free = this.capacity - this.running;
    return free > 1 || (free === 1 && (this.capacity === 1 || !isBusy));
  }

  private isBusy(tenant: Tenant, now: number): boolean {
    if (this.rules.busyBy === 'locks') return now - tenant.lockedAt <= LOCKED_MS;
    const use = tenant.recentUse(now);
    if (use <= BUSY_MS) return false;
    let most = 0;
    for (const each of this.atWork) most = Math.max(most, each.recentUse(now));
    return use > most * BUSY_SHARE;
  }

  private start(tenant: Tenant): void {
    tenant.change(1, performance.now());
    this.atWork.add(tenant);
    this.running += 1;
  }

  private end(tenant: Tenant, startedAt: number): void {
    const now = performance.now();
    if (this.rules.restsWhenBusy && this.tenants.size > 1 && this.isBusy(tenant, now)) {
      tenant.restsUntil = now + Math.min(now - startedAt, MAX_REST_MS);
      this.startNextAt(tenant.restsUntil);
    }
    tenant.change(-1, now);
    if (tenant.running === 0) this.atWork.delete(tenant);
    this.running -= 1;
    this.startNext(now);
    if (now - this.tidiedAt > HALF_LIFE_MS) this.tidy(now);
  }

  private wait(tenant: Tenant): Promise<void> {
    if (tenant.waiting.size >= MAX_WAITING)
      throw this.refusal('too many requests of this account are waiting for the database');
    if (this.waiting >= MAX_WAITING_IN_ALL)
      throw this.refusal('too many requests of all accounts are waiting for the database');
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: resolve,
        refuse: reject,
        timer: setTimeout(() => this.giveUp(tenant, waiting), MAX_WAIT_MS),
      };
      tenant.waiting.add(waiting);
      this.waiting += 1;
      this.line.add(tenant);
      // The accounts ahead may be paused or busy while this one may start.
      this.startNext(performance.now());
    });
  }

  private startNext(now: number): void {
    // A served account moves to the end of the line, and this loop reaches it again.
    for (const tenant of this.line) {
      if (this.running >= this.capacity) return;
      if (!this.mayStart(tenant, now)) continue;
      const [next] = tenant.waiting;
      if (next === undefined) continue;
      this.leave(tenant, next);
      if (tenant.waiting.size > 0) {
        this.line.delete(tenant);
        this.line.add(tenant);
      }
      this.start(tenant);
      next.start();
    }
  }

  /** Checks the clock again, because timers count from the event loop's cached time and may fire early. */
  private startNextAt(at: number): void {
    const now = performance.now();
    if (now >= at) this.startNext(now);
    else setTimeout(() => this.startNextAt(at), at - now + 1).unref();
  }

  private giveUp(tenant: Tenant, waiting: Waiting): void {
    this.leave(tenant, waiting);
    waiting.refuse(this.refusal(`the request waited longer than ${MAX_WAIT_MS / 1000} s for the database`));
  }

  private leave(tenant: Tenant, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    tenant.waiting.delete(waiting);
    this.waiting -= 1;
    if (tenant.waiting.size === 0) this.line.delete(tenant);
  }

  private refusal(message: string): DatabaseUnavailable {
    this.refusals += 1;
    return new DatabaseUnavailable(message);
  }

  private tidy(now: number): void {
    this.tidiedAt = now;
    for (const [accountId, tenant] of this.tenants) {
      if (tenant.isForgettable(now)) this.tenants.delete(accountId);
    }
  }
}
