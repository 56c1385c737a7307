import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ThrottlerStorageRecord } from '@nestjs/throttler/dist/throttler-storage-record.interface.js';
import { RequestWindows } from './request-windows.js';

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
