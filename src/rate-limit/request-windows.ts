import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ThrottlerStorageRecord } from '@nestjs/throttler/dist/throttler-storage-record.interface.js';

/** Whether a request was within its limit. */
export interface WindowAnswer {
  readonly allowed: boolean;
  /** Requests accepted in the window, this one included if it was. */
  readonly used: number;
  /** Milliseconds until the oldest of them leaves the window. */
  readonly resetMs: number;
}

/**
 * Counts accepted requests per subject in a sliding window, exactly and across processes. No window of `spanMs` ever
 * contains more than `limit` accepted requests.
 */
export abstract class RequestWindows {
  /**
   * @param subject whose requests are counted, e.g. `key:<family>`
   * @param limit requests per window
   * @param spanMs length of the window, milliseconds
   */
  abstract take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer>;
}

/** Adapts {@link RequestWindows} to the throttler. Times are whole seconds, at least 1. */
@Injectable()
export class WindowThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly windows: RequestWindows) {}

  async increment(subject: string, spanMs: number, limit: number): Promise<ThrottlerStorageRecord> {
    const { allowed, used, resetMs } = await this.windows.take(subject, limit, spanMs);
    const seconds = Math.max(1, Math.ceil(resetMs / 1000));
    return { totalHits: used, timeToExpire: seconds, isBlocked: !allowed, timeToBlockExpire: seconds };
  }
}
