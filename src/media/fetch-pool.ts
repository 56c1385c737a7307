import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { InFlightRoom } from '../runtime/in-flight-room.js';
import { Metrics } from '../runtime/metrics.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import { MINUTE, SECOND } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import type { RecordId } from '../values/record-id.js';
import { renewLease, type TakenFile, takeDue, takeNow } from './fetch.queries.js';
import { type AbortReason, FileFetchService } from './file-fetch.service.js';
import { StoreUnavailable } from './media-store.js';

/** Files that a process fetches at once. Each takes a few hundred kilobytes of memory, whatever its size. */
const MAX_FETCHES = 16;
/** How long a dead process's file waits for another one. */
const LEASE_MS = 30 * SECOND;
const RENEW_MS = 10 * SECOND;
/** A request does not repeat an attempt that failed less than this ago. */
const REST_MS = 10 * SECOND;
/** How long nothing is fetched after the store has failed: twice as long each time. */
const FIRST_PAUSE_MS = 10 * SECOND;
const LAST_PAUSE_MS = 5 * MINUTE;

/**
 * Fetches files in this process, a few at once. Accounts take turns, and none fetches more than leaves as much room for
 * another one, so thousands of files of one account, or a server that is slow for it, hold up nobody else. A file is taken
 * from the table when there is room for it, so that nothing taken waits in memory.
 */
@Injectable()
export class FetchPool implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(FetchPool.name);
  private readonly warnings = new OncePer(MINUTE);
  private readonly room = new InFlightRoom(MAX_FETCHES);
  /** Accounts whose due files are being taken, and whether they were woken again since. */
  private readonly lanes = new Map<string, { isWokenAgain: boolean }>();
  private readonly attempts = new Map<RecordId, { readonly abort: AbortController; readonly end: Promise<void> }>();
  private isStopping = false;
  private pauseMs = 0;
  /** By `performance.now()`. */
  private pausedUntil = 0;

  constructor(
    private readonly fetches: FileFetchService,
    private readonly unitOfWork: BackgroundUnitOfWork,
    metrics: Metrics,
  ) {
    const fetching = { name: 'parley_media_fetching', help: 'Files of inbound messages being fetched' };
    metrics.gauge(fetching, () => [{ value: this.attempts.size }]);
  }

  /** Fetches what is due of an account. Returns immediately. */
  wake(accountId: string): void {
    if (this.isStopping) return;
    const lane = this.lanes.get(accountId);
    if (lane !== undefined) lane.isWokenAgain = true;
    else void this.run(accountId);
  }

  /**
   * Fetches a file that somebody waits for, unless a process is doing so, has just failed to, or the store is away.
   *
   * @returns when the attempt of this process has ended, if there is one
   */
  async fetchNow(accountId: string, messageId: RecordId): Promise<void> {
    const known = this.attempts.get(messageId);
    if (known !== undefined) return known.end;
    await (await this.begin(accountId, (tx) => takeNow(accountId, messageId, LEASE_MS, REST_MS, tx)))?.end;
  }

  /** Gives files that are being fetched back, so that another process can have them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const attempts = [...this.attempts.values()];
    for (const { abort } of attempts) abort.abort('stopping' satisfies AbortReason);
    await Promise.all(attempts.map(({ end }) => end));
  }

  unfinished(): string | null {
    return this.attempts.size === 0 ? null : `${this.attempts.size} files, which will be fetched again`;
  }

  private async run(accountId: string): Promise<void> {
    const lane = { isWokenAgain: false };
    this.lanes.set(accountId, lane);
    try {
      do {
        lane.isWokenAgain = false;
        while ((await this.begin(accountId, (tx) => takeDue(accountId, LEASE_MS, tx))) !== null);
      } while (lane.isWokenAgain && !this.isHeld);
    } catch (error) {
      if (this.warnings.allows('take')) this.logger.warn(`no files can be taken: ${(error as Error).message}`);
    } finally {
      this.lanes.delete(accountId);
    }
  }

  private get isHeld(): boolean {
    return this.isStopping || performance.now() < this.pausedUntil;
  }

  /** Begins an attempt as soon as there is room. @returns null when there is nothing to take */
  private async begin(
    accountId: string,
    take: (tx: BackgroundUnitOfWork['autocommit']) => Promise<TakenFile | null>,
  ): Promise<{ readonly end: Promise<void> } | null> {
    await this.room.enter(accountId, 1);
    let file: TakenFile | null = null;
    try {
      if (!this.isHeld) file = await take(this.unitOfWork.autocommit);
    } finally {
      if (file === null) this.room.leave(accountId, 1);
    }
    if (file === null) return null;
    const abort = new AbortController();
    if (this.isStopping) abort.abort('stopping' satisfies AbortReason);
    const attempt = { abort, end: this.attempt(file, abort) };
    this.attempts.set(file.messageId, attempt);
    void attempt.end.then(() => {
      this.attempts.delete(file.messageId);
      this.room.leave(accountId, 1);
    });
    return attempt;
  }

  /** Never throws. */
  private async attempt(file: TakenFile, abort: AbortController): Promise<void> {
    const renewal = setInterval(() => void this.renew(file, abort), RENEW_MS);
    try {
      await this.fetches.fetch(file, abort.signal);
      this.pauseMs = 0;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.pause();
      if (this.warnings.allows((error as Error).name)) this.logger.warn(`files wait: ${(error as Error).message}`);
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(file: TakenFile, abort: AbortController): Promise<void> {
    try {
      const isOurs = await renewLease(file, LEASE_MS, this.unitOfWork.autocommit);
      if (!isOurs) abort.abort('lost' satisfies AbortReason);
    } catch (error) {
      // The next renewal comes before the lease ends.
      this.logger.debug(`a lease was not renewed: ${(error as Error).message}`);
    }
  }

  private pause(): void {
    if (performance.now() < this.pausedUntil) return;
    this.pauseMs = Math.min(LAST_PAUSE_MS, this.pauseMs === 0 ? FIRST_PAUSE_MS : 2 * this.pauseMs);
    this.pausedUntil = performance.now() + this.pauseMs;
  }
}
