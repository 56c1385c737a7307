import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Announcements } from '../database/connections/announcements.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import { newRecordId } from '../values/record-id.js';
import { WARNING_INTERVAL_MS } from './job-queue.js';
import { claimLease, LEASE_CHANNEL, releaseLease } from './sweep-lease.queries.js';

/** Milliseconds that a worker leads after it last renewed the lease: how soon another follows one that died. */
const LEASE_MS = 6 * SECOND;
const RENEW_MS = 2 * SECOND;
/** Milliseconds between attempts while the database does not answer. */
const RETRY_MS = SECOND / 2;
/** Milliseconds that a follower waits after the end of the lease that it saw. */
const SLACK_MS = 50;

/** Who wants to lead. */
export interface Candidate {
  /** Called each time that this process begins to lead. */
  elected(): void;
  /** Whether it gets its work done. One that does not gives way to others. */
  isFit(): boolean;
}

/**
 * Elects one process of the cluster by a lease in the database. A leader that is killed, frozen, blocked or cut off from
 * the database renews it no more, and another takes it when it has ended; one that stops gives it up at once. A leader
 * counts its lease from before it asked, so it knows that it leads no more before another can begin. Only what it is
 * doing at that moment overlaps, so whatever a leader does must do no harm in two processes.
 */
@Injectable()
export class Leadership implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Leadership.name);
  private readonly warnings = new OncePer(WARNING_INTERVAL_MS);
  private readonly id = newRecordId();
  private candidate: Candidate | null = null;
  private leadsUntil = Number.NEGATIVE_INFINITY;
  private stopping = false;
  private finished: Promise<void> = Promise.resolve();
  /** Whether the lease became free since the last claim was sent. */
  private isVacant = false;
  private endWait: () => void = () => undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly announcements: Announcements,
  ) {}

  get isLeading(): boolean {
    return !this.stopping && performance.now() < this.leadsUntil;
  }

  /** Stands for election until the process stops. */
  stand(candidate: Candidate): void {
    if (this.candidate !== null || this.stopping) return;
    this.candidate = candidate;
    this.announcements.listen(LEASE_CHANNEL, (from) => {
      if (from === this.id) return;
      this.isVacant = true;
      if (!this.isLeading) this.endWait();
    });
    this.finished = this.campaign(candidate);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.endWait();
    await this.finished;
    if (performance.now() < this.leadsUntil) await this.release();
  }

  private async campaign(candidate: Candidate): Promise<void> {
    while (!this.stopping) {
      const waitMs = await this.claim(candidate).catch((error: Error) => {
        if (this.warnings.allows('failed')) this.logger.warn(`could not ask for the sweeps' lease: ${error.message}`);
        return RETRY_MS;
      });
      await this.wait(waitMs);
    }
  }

  /** @returns milliseconds until the next claim */
  private async claim(candidate: Candidate): Promise<number> {
    const wasLeading = this.isLeading;
    if (wasLeading && !candidate.isFit()) return this.giveWay();
    this.isVacant = false;
    const askedAt = performance.now();
    const { isMine, endsInMs } = await claimLease(
      this.id,
      this.announcements.session,
      LEASE_MS,
      this.unitOfWork.control,
    );
    this.leadsUntil = isMine ? askedAt + LEASE_MS : Number.NEGATIVE_INFINITY;
    if (!isMine) return this.isVacant ? 0 : Math.min(Math.max(endsInMs, 0), LEASE_MS) + SLACK_MS;
    if (!wasLeading && this.isLeading) candidate.elected();
    return RENEW_MS;
  }

  /** Leaves the lease to others for as long as it takes them to see that it is free. */
  private async giveWay(): Promise<number> {
    this.logger.warn('the sweeps of this process get nothing done: leaving them to other workers');
    this.leadsUntil = Number.NEGATIVE_INFINITY;
    await this.release();
    return LEASE_MS;
  }

  private async release(): Promise<void> {
    await releaseLease(this.id, this.unitOfWork.control).catch((error: Error) => {
      this.logger.warn(`the sweeps' lease must run out: ${error.message}`);
    });
  }

  private async wait(ms: number): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endWait = () => undefined;
  }
}
