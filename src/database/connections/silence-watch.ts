/** How often connections are looked at, milliseconds. */
const TICK_MS = 250;

/** Milliseconds as a number of looks, rounded up. */
export const inTicks = (ms: number): number => Math.ceil(ms / TICK_MS);

/**
 * After one connection has missed its deadline, others that have not answered since either get no longer than this: a
 * statement that may take half a minute must not keep a dead connection for that long.
 */
const SUSPECT_TICKS = inTicks(6000);

/** A connection as the watch sees it. Times are counted in looks of {@link SilenceWatch}. */
export interface WatchedConnection {
  /** Connections of one address fall silent together. */
  readonly address: string;
  /** When the query was sent that is being waited for; null when none is. */
  readonly waitingSince: number | null;
  readonly answeredAt: number;
  /** How long it may take. */
  readonly deadline: number;
  /** Whether it is closing anyway, so that its silence says nothing. */
  readonly isLeaving: boolean;
  destroy(reason: 'deadline' | 'suspect'): void;
}

/**
 * Finds connections that do not answer. One timer looks at all connections of the process, so that a query costs no timer
 * of its own; and because time is counted in looks, a process that was busy or suspended does not take its own pause for
 * the database's.
 */
export class SilenceWatch {
  private readonly connections = new Set<WatchedConnection>();
  private timer: NodeJS.Timeout | null = null;
  private ticks = 0;
  /** By address: when the last query was sent that missed its deadline. */
  private readonly silentSince = new Map<string, number>();
  /** Connections that missed their deadline, since the process began. */
  misses = 0;
  /** Connections that were closed because others of their address had missed theirs. */
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
      // The server's goodbye is worth no suspicion.
      if (isLeaving) continue;
      this.misses += 1;
      this.silentSince.set(address, Math.max(sentAt, this.silentSince.get(address) ?? 0));
      this.closeIdle(address);
    }
  }

  private deadlineOf(connection: WatchedConnection): number {
    return this.isSuspect(connection) ? Math.min(connection.deadline, SUSPECT_TICKS) : connection.deadline;
  }

  /** Nothing is known any more of connections that have not answered since a query was sent that got no answer. */
  private isSuspect({ address, answeredAt }: WatchedConnection): boolean {
    const silentSince = this.silentSince.get(address);
    return silentSince !== undefined && answeredAt <= silentSince;
  }

  /** Before anybody is given one. */
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

/** The watch of this process. */
export const silenceWatch = new SilenceWatch();
