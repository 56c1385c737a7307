import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import type { NetworkHealth } from './network-health.js';
import { anyPhoneWaits, beginWait, endWait, giveProbeBack, type ProbeTurn, takeProbe } from './phone-wait.queries.js';
import type { ThrottledPhone } from './throughput.js';

/** Failing answers in a row after which a phone waits. */
const FAILURES_IN_A_ROW = 5;
/** How long a phone waits at least, milliseconds. */
const FIRST_WAIT_MS = SECOND;
/** What a probe may take beyond the network's timeout, milliseconds. */
const PROBE_MARGIN_MS = 5 * SECOND;

type Phone = Pick<ThrottledPhone, 'accountId' | 'id'>;

/**
 * Makes the campaigns of a phone wait on all processes while the network fails: after five failing answers in a row, or
 * at once when it cannot be reached. One message at a time probes it, at growing distances; the first answer of another
 * kind ends the wait. Single sends are not held back, and their answers count.
 */
@Injectable()
export class PhoneWaits {
  private readonly logger = new Logger(PhoneWaits.name);
  /** Failing answers in a row that this process has seen, by phone. */
  private readonly failures = new Map<string, number>();
  /** Until when this process knows a phone to wait, by `performance.now()`. */
  private readonly waiting = new Map<string, number>();
  /** An answer to a single send may end a wait that another process began: so often it is looked for. */
  private readonly looks = new OncePer(SECOND);
  /** Whether any phone at all waited at the last look; usually none does. */
  private someWait = false;
  private readonly warnings = new OncePer(MINUTE);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Whether this process knows that the campaigns of the phone wait. */
  isWaiting({ id }: Phone): boolean {
    return this.waiting.size > 0 && (this.waiting.get(id) ?? 0) > performance.now();
  }

  /**
   * Call with each answer to a message of the phone. In the background; never throws.
   *
   * @param isSingle whether the message was not a campaign's
   */
  heard(phone: Phone, health: NetworkHealth, isSingle: boolean): void {
    if (health === null) return;
    if (health.state === 'answers') {
      if (this.failures.size > 0) this.failures.delete(phone.id);
      if (this.waiting.delete(phone.id)) void this.end(phone);
      else if (isSingle) void this.endElsewhere(phone);
      return;
    }
    if (this.isWaiting(phone)) return;
    if (health.state === 'fails' && this.countFailure(phone) < FAILURES_IN_A_ROW) return;
    this.waiting.set(phone.id, performance.now() + FIRST_WAIT_MS);
    void this.begin(phone, health, false);
  }

  /** Asks for the turn to probe a phone that was seen to wait. */
  takeProbe({ accountId, id }: Phone): Promise<ProbeTurn> {
    const leaseMs = this.environment.network.timeoutMs + PROBE_MARGIN_MS;
    return takeProbe(accountId, id, leaseMs, this.unitOfWork.writes(accountId));
  }

  /** Gives the turn to probe back: nobody was there to be sent to. */
  async giveProbeBack({ accountId, id }: Phone): Promise<void> {
    await giveProbeBack(accountId, id, this.unitOfWork.writes(accountId));
  }

  /**
   * Ends the turn to probe. An unknown outcome proves nothing.
   *
   * @returns whether the phone goes on
   */
  async probed(phone: Phone, health: NetworkHealth): Promise<boolean> {
    if (health?.state === 'answers') {
      await this.end(phone);
      return true;
    }
    await this.begin(phone, health ?? NO_ANSWER, true);
    return false;
  }

  /** Ends a wait that another process began, if there is one. */
  private async endElsewhere(phone: Phone): Promise<void> {
    if (this.looks.allows('')) {
      await this.tolerating(async () => {
        this.someWait = await anyPhoneWaits(this.unitOfWork.autocommit);
      });
    }
    if (this.someWait && this.looks.allows(phone.id)) await this.end(phone);
  }

  private countFailure({ id }: Phone): number {
    const failures = (this.failures.get(id) ?? 0) + 1;
    this.failures.set(id, failures);
    return failures;
  }

  private async begin({ accountId, id }: Phone, { state, detail }: Failing, isProbe: boolean): Promise<void> {
    const reason = state === 'fails' ? 'phone' : 'network';
    await this.tolerating(async () => {
      const tx = this.unitOfWork.writes(accountId);
      const waitMs = await beginWait({ accountId, businessPhoneId: id, reason, detail }, isProbe, tx);
      if (waitMs !== null) this.waiting.set(id, performance.now() + waitMs);
      this.forgetOld();
    });
  }

  private async end({ accountId, id }: Phone): Promise<void> {
    await this.tolerating(async () => {
      this.failures.delete(id);
      this.waiting.delete(id);
      await endWait(accountId, id, this.unitOfWork.writes(accountId));
    });
  }

  /** Without the database nothing is claimed anyway, and the next answer says it again. */
  private async tolerating(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.warnings.allows('')) this.logger.warn(`a wait could not be stored: ${(error as Error).message}`);
    }
  }

  private forgetOld(): void {
    const at = performance.now();
    for (const [id, until] of this.waiting) if (until < at - MINUTE) this.waiting.delete(id);
  }
}

type Failing = Exclude<NonNullable<NetworkHealth>, { readonly state: 'answers' }>;

const NO_ANSWER: Failing = { state: 'unreachable', detail: 'the network did not answer' };
