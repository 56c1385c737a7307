/** How often connections are checked, milliseconds. */
const TICK_MS = 250;

/** Converts milliseconds to ticks, rounded up. */
export const inTicks = (ms: number): number => Math.ceil(ms / TICK_MS);

/**
 * After one connection has missed its deadline, others that have not responded since get no longer than this: a
 * statement with a 30 s limit must not keep a dead connection alive for that long.
 */
const SUSPECT_TICKS = inTicks(6000);

/** A connection as {@link SilenceWatch} sees it. Times are in its ticks. */
export interface WatchedConnection {
  /** Connections to the same address fail together. */
  readonly address: string;
  /** When the pending query was sent; null when there is none. */
  readonly waitingSince: number | null;
  readonly answeredAt: number;
  /** How long the pending query may take. */
  readonly deadline: number;
  /** Whether it is closing anyway, so that its silence proves nothing. */
  readonly isLeaving: boolean;
  destroy(reason: 'deadline' | 'suspect'): void;
}

/**
 * Destroys connections that do not respond in time. One timer checks all connections of the process, so that queries
 * need no timers of their own. Time is counted in ticks, so a process that was busy or suspended does not mistake its
 * own pause for the database's.
 */
export class SilenceWatch {
  private readonly connections = new Set<WatchedConnection>();
  private timer: NodeJS.Timeout | null = null;
  private ticks = 0;
  /** By address: when the latest query that missed its deadline was sent. */
  private readonly silentSince = new Map<string, number>();
  /** Number of connections that missed their deadline, since the process started. */
  misses = 0;
  /** Number of connections closed because others to the same address had missed theirs. */
  suspects = 0;

  get now(): number {
    return this.ticks;
  }

  add(connection: WatchedConnection): void {
    this.connections.add(connection);
    if (this.timer !== null) return;
    this.timer = setInterval(() => this.look(), TICK_MS);
    this.timer.unref();
  }

  remove(connection: WatchedConnection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private look(): void {
    this.ticks += 1;
    for (const connection of this.connections) {
      const { address, waitingSince: sentAt, isLeaving } = connection;
      if (sentAt === null || this.ticks - sentAt <= this.deadlineOf(connection)) continue;
      this.end(connection, 'deadline');
      // A slow close says nothing about other connections.
      if (isLeaving) continue;
      this.misses += 1;
      this.silentSince.set(address, Math.max(sentAt, this.silentSince.get(address) ?? 0));
      this.closeIdle(address);
    }
  }

  private deadlineOf(connection: WatchedConnection): number {
    return this.isSuspect(connection) ? Math.min(connection.deadline, SUSPECT_TICKS) : connection.deadline;
  }

  /** Whether the connection has not responded since another one's unanswered query was sent. */
  private isSuspect({ address, answeredAt }: WatchedConnection): boolean {
    const silentSince = this.silentSince.get(address);
    return silentSince !== undefined && answeredAt <= silentSince;
  }

  /** Closes suspect idle connections before the pool hands them out. */
  private closeIdle(address: string): void {
    for (const connection of this.connections) {
      if (connection.address !== address || connection.waitingSince !== null || !this.isSuspect(connection)) continue;
      this.suspects += 1;
      this.end(connection, 'suspect');
    }
  }

  private end(connection: WatchedConnection, reason: 'deadline' | 'suspect'): void {
    this.connections.delete(connection);
    connection.destroy(reason);
  }
}

/** Shared by the whole process. */
export const silenceWatch = new SilenceWatch();
