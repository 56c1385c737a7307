import { Injectable } from '@nestjs/common';
import { FailedAuthentications } from '../auth/api-key.guard.js';
import { DomainError } from '../errors/domain-error.js';
import { AddressSlots } from './address-slots.js';
import { RATE_LIMIT_SPAN_MS } from './rate-limit.guard.js';
import { RequestWindows } from './request-windows.js';

/** Failed authentications that one address may make in 60 seconds. */
const MAX_FAILURES = 30;
/** Attempts of one address that may be looked up at once: it overshoots its limit by fewer than these. */
const MAX_ATTEMPTS_AT_ONCE = 8;
/** How long an attempt waits for those before it, milliseconds. */
const MAX_WAIT_MS = 3000;
/** Addresses remembered as blocked; beyond it the oldest are forgotten and counted again. */
const MAX_BLOCKED = 10_000;

/**
 * Answers 429 to an address that keeps failing to authenticate, before anything is looked up for it. Failures are counted
 * over all processes; each process remembers for itself whom it has found blocked.
 */
@Injectable()
export class FailedAuthenticationLimit extends FailedAuthentications {
  /** Until when addresses are over their limit. */
  private readonly blockedUntil = new Map<string, number>();
  private readonly slots = new AddressSlots(MAX_ATTEMPTS_AT_ONCE, MAX_WAIT_MS, tooManyAtOnce);

  constructor(private readonly windows: RequestWindows) {
    super();
  }

  override check(address: string): void {
    const until = this.blockedUntil.get(address);
    if (until === undefined) return;
    const leftMs = until - performance.now();
    if (leftMs > 0) throw tooManyFailures(leftMs);
    this.blockedUntil.delete(address);
  }

  override attempt<Found>(address: string, authenticate: () => Promise<Found | null>): Promise<Found | null> {
    return this.slots.run(address, async () => {
      // Those before it in the line may have used up the limit.
      this.check(address);
      const found = await authenticate();
      if (found === null) await this.count(address);
      return found;
    });
  }

  /** @throws DomainError `rate_limited` when the limit was used up before, on whatever process */
  private async count(address: string): Promise<void> {
    const { allowed, used, resetMs } = await this.windows.take(`address:${address}`, MAX_FAILURES, RATE_LIMIT_SPAN_MS);
    if (used >= MAX_FAILURES) this.block(address, resetMs);
    if (!allowed) throw tooManyFailures(resetMs);
  }

  private block(address: string, forMs: number): void {
    this.blockedUntil.delete(address);
    this.blockedUntil.set(address, performance.now() + forMs);
    const oldest = this.blockedUntil.size > MAX_BLOCKED ? this.blockedUntil.keys().next().value : undefined;
    if (oldest !== undefined) this.blockedUntil.delete(oldest);
  }
}

function tooManyFailures(leftMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new DomainError('rate_limited', `too many failed authentications from this address; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function tooManyAtOnce(): DomainError {
  return new DomainError('unavailable', 'API keys cannot be looked up fast enough at the moment; retry in 1 s', {
    headers: { 'retry-after': '1' },
  });
}
