import { Injectable } from '@nestjs/common';
import { FailedAuthentications } from '../auth/authentication.guard.js';
import { DomainError } from '../errors/domain-error.js';
import { AddressSlots } from './address-slots.js';
import { RATE_LIMIT_SPAN_MS } from './rate-limit.guard.js';
import { RequestWindows } from './request-windows.js';

/** Failed authentications per address and 60 seconds. */
const MAX_FAILURES = 30;
/** Sessions per address and 60 seconds that are looked up and do not exist. */
const MAX_UNKNOWN_SESSIONS = 300;
/** Concurrent look-ups per address. An address can exceed its limit by fewer than these. */
const MAX_CONCURRENT_ATTEMPTS = 8;
/** Milliseconds an attempt waits for those before it. */
const MAX_WAIT_MS = 3000;
/** Blocked addresses kept in memory. Beyond this, the oldest are dropped and counted again. */
const MAX_BLOCKED = 10_000;

/**
 * Answers 429 to an address that keeps failing to authenticate, without looking up its keys. Failures are counted
 * across all processes; each process keeps its own list of blocked addresses.
 */
@Injectable()
export class FailedAuthenticationLimit extends FailedAuthentications {
  /** When each block ends, as `performance.now()` milliseconds. */
  private readonly blockedUntil = new Map<string, number>();
  /** The same for look-ups of sessions. Those that this process knows need none. */
  private readonly lookUpsBlockedUntil = new Map<string, number>();
  private readonly slots = new AddressSlots(MAX_CONCURRENT_ATTEMPTS, MAX_WAIT_MS, lookUpsBusy);

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
      // The attempts before this one may have used up the limit.
      this.check(address);
      const found = await authenticate();
      if (found === null) await this.count(address);
      return found;
    });
  }

  override lookUp<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | null> {
    return this.slots.run(address, async () => {
      this.checkLookUps(address);
      const found = await find();
      if (found === null) {
        const subject = `sessions:${address}`;
        const { used, resetMs } = await this.windows.take(subject, MAX_UNKNOWN_SESSIONS, RATE_LIMIT_SPAN_MS);
        if (used >= MAX_UNKNOWN_SESSIONS) keepUntil(this.lookUpsBlockedUntil, address, resetMs);
      }
      return found;
    });
  }

  private checkLookUps(address: string): void {
    const leftMs = (this.lookUpsBlockedUntil.get(address) ?? 0) - performance.now();
    if (leftMs > 0) throw tooManyFailures(leftMs);
    this.lookUpsBlockedUntil.delete(address);
  }

  /** @throws DomainError `rate_limited` when the limit was already used up, in any process */
  private async count(address: string): Promise<void> {
    const { allowed, used, resetMs } = await this.windows.take(`address:${address}`, MAX_FAILURES, RATE_LIMIT_SPAN_MS);
    if (used >= MAX_FAILURES) keepUntil(this.blockedUntil, address, resetMs);
    if (!allowed) throw tooManyFailures(resetMs);
  }
}

/** Notes until when an address is blocked; the oldest give way. */
function keepUntil(blocked: Map<string, number>, address: string, forMs: number): void {
  blocked.delete(address);
  blocked.set(address, performance.now() + forMs);
  const oldest = blocked.size > MAX_BLOCKED ? blocked.keys().next().value : undefined;
  if (oldest !== undefined) blocked.delete(oldest);
}

function tooManyFailures(leftMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new DomainError('rate_limited', `too many failed authentications from this address; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function lookUpsBusy(): DomainError {
  return new DomainError(
    'unavailable',
    'too many requests from this address are being authenticated at once; retry in 1 s',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
