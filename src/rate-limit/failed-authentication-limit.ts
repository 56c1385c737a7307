import { Injectable } from '@nestjs/common';
import { FailedAuthentications } from '../auth/api-key.guard.js';
import { DomainError } from '../errors/domain-error.js';
import { RATE_LIMIT_SPAN_MS } from './rate-limit.guard.js';
import { RequestWindows } from './request-windows.js';

/** Failed authentications that one address may make in 60 seconds (D84). */
const MOST_FAILURES = 30;
/** Addresses remembered as blocked; beyond it the oldest are asked about again. */
const MOST_BLOCKED = 10_000;

/** Answers 429 to an address that keeps failing to authenticate. */
@Injectable()
export class FailedAuthenticationLimit extends FailedAuthentications {
  /** Until when an address is known to be over its limit, so that a flood costs no queries. */
  private readonly blockedUntil = new Map<string, number>();

  constructor(private readonly windows: RequestWindows) {
    super();
  }

  async count(address: string): Promise<void> {
    const at = Date.now();
    let until = this.blockedUntil.get(address) ?? 0;
    if (until <= at) {
      const { allowed, resetMs } = await this.windows.take(`address:${address}`, MOST_FAILURES, RATE_LIMIT_SPAN_MS);
      if (allowed) return;
      until = at + resetMs;
      this.remember(address, until);
    }
    const seconds = Math.max(1, Math.ceil((until - at) / 1000));
    throw new DomainError('rate_limited', `too many failed authentications from this address; retry in ${seconds} s`, {
      headers: { 'retry-after': String(seconds) },
    });
  }

  private remember(address: string, until: number): void {
    this.blockedUntil.delete(address);
    this.blockedUntil.set(address, until);
    const oldest = this.blockedUntil.keys().next().value;
    if (this.blockedUntil.size > MOST_BLOCKED && oldest !== undefined) this.blockedUntil.delete(oldest);
  }
}
