import { DatabaseUnavailable } from '../connections/database-unavailable.js';
import { isContention } from '../connections/passing-error.js';

/** Pieces of work of one account that run at once. */
const MAX_RUNNING = 2;
/** Those of one account that wait at once. */
const MAX_WAITING = 1000;
/** Those of all accounts that wait at once. */
const MAX_WAITING_IN_ALL = 10_000;
/** How long anybody waits for a turn, milliseconds. */
const MAX_WAIT_MS = 5000;
/** The use of connections that an account is remembered for halves in this time, milliseconds. */
const HALF_LIFE_MS = 5000;
/** An account that has used less than this of late is not busy, milliseconds: a fourteenth of a connection's time. */
const BUSY_MS = 500;
/** Neither is one that has used less than this share of what the busiest of those at work has: it suffers from that one. */
const BUSY_SHARE = 0.5;

/** An account that has met a lock is busy for so long, milliseconds: ten of them that take turns must not be forgotten meanwhile. */
const LOCKED_MS = 20_000;

/** What makes an account busy, so that it has to leave connections to the others. */
export interface TurnRules {
  /** Its use of connections, as a crowd of searches has; or locks that it met, which its next work will meet too. */
  readonly busyBy: 'use' | 'locks';
  /** Pieces of work of one account that is busy. */
  readonly maxRunningBusy: number;
  /** Whether a busy account rests for as long as it has worked, while there are others: it leaves them half a processor too. */
  readonly restsWhenBusy: boolean;
}

/** The longest rest, milliseconds. */
const MAX_REST_MS = 1000;

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** What is known of one account while it has work, and for as long afterwards as it counts as busy. */
class Tenant {
  readonly waiting = new Set<Waiting>();
  /** When it may work again. */
  restsUntil = 0;
  /** When it last met a lock. */
  lockedAt = Number.NEGATIVE_INFINITY;
  private atWork = 0;
  private used = 0;
  private usedAt = 0;

  /** Pieces of its work that run. */
  get running(): number {
    return this.atWork;
  }

  /** One more piece of work runs (1), or one less (-1). */
  change(by: 1 | -1, now: number): void {
    this.used = this.recentUse(now);
    this.usedAt = now;
    this.atWork += by;
  }

  /** For how long it has used connections of late, milliseconds; what runs now counts. */
  recentUse(now: number): number {
    const since = now - this.usedAt;
    return this.used * 0.5 ** (since / HALF_LIFE_MS) + this.atWork * since;
  }

  /** Whether it is as good as unknown. */
  isForgettable(now: number): boolean {
    return this.atWork === 0 && this.waiting.size === 0 && this.recentUse(now) < 1 && now - this.lockedAt > LOCKED_MS;
  }
}

/**
 * Decides whose work runs next on connections that all accounts share. An account has at most two at work; what waits is
 * served one account after the other, however much each has. Accounts that are busy (with a crowd of searches, or writes that
 * wait for a lock) never hold all connections at once: the last one is kept for the others, whose work is short.
 */
export class AccountTurns {
  private readonly tenants = new Map<string, Tenant>();
  /** Accounts whose work waits, the one that was served longest ago first. */
  private readonly line = new Set<Tenant>();
  private readonly atWork = new Set<Tenant>();
  private running = 0;
  private waiting = 0;
  private tidiedAt = 0;
  /** How many were refused since the process began. */
  refusals = 0;

  /**
   * @param capacity pieces of work that run at once, one on each connection
   */
  constructor(
    private readonly capacity: number,
    private readonly rules: TurnRules,
  ) {}

  /** How many wait. */
  get depth(): number {
    return this.waiting;
  }

  /**
   * Does `work`, on one connection, when it is the account's turn.
   *
   * @throws DatabaseUnavailable when too many wait, or the turn does not come in time
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
    if (this.waiting >= MAX_WAITING_IN_ALL) throw this.refusal('too many requests are waiting for the database');
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: resolve,
        refuse: reject,
        timer: setTimeout(() => this.giveUp(tenant, waiting), MAX_WAIT_MS),
      };
      tenant.waiting.add(waiting);
      this.waiting += 1;
      this.line.add(tenant);
      // Others may be in line who may not start yet, while this account may.
      this.startNext(performance.now());
    });
  }

  private startNext(now: number): void {
    // Whoever is served goes to the end of the line, which this loop then comes to.
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

  /** A timer counts from when the event loop last looked at the clock, so it may go off too early. */
  private startNextAt(at: number): void {
    const now = performance.now();
    if (now >= at) this.startNext(now);
    else setTimeout(() => this.startNextAt(at), at - now + 1).unref();
  }

  private giveUp(tenant: Tenant, waiting: Waiting): void {
    this.leave(tenant, waiting);
    waiting.refuse(this.refusal(`the database did not get to the request within ${MAX_WAIT_MS / 1000} s`));
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
