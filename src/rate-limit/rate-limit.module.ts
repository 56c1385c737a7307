import { type DynamicModule, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { FailedAuthentications } from '../auth/authentication.guard.js';
import type { Environment } from '../config/environment.js';
import { Pipeline } from '../database/unit-of-work.js';
import { Room } from '../manifest/room.js';
import { Metrics } from '../runtime/metrics.js';
import { FailedAuthenticationLimit } from './failed-authentication-limit.js';
import { PostgresRequestWindows } from './postgres-request-windows.js';
import { limitOfCaller, RATE_LIMIT_SPAN_MS } from './rate-limit.guard.js';
import { RateLimitWindow } from './rate-limit-window.entity.js';
import { RedisOrPostgresWindows } from './redis-or-postgres-windows.js';
import { RedisOutages } from './redis-outages.js';
import { RedisRequestWindows } from './redis-request-windows.js';
import { RequestWindows, WindowThrottlerStorage } from './request-windows.js';

/** Limits per key and per failing address, counted on Redis if it is configured and available, else on PostgreSQL. */
@Room({
  entities: [RateLimitWindow],
  kept: { rate_limit_windows: 'an hour after the last request' },
})
export class RateLimitModule {
  static register({ redisUrl }: Environment): DynamicModule {
    const windows: DynamicModule = {
      module: RequestWindowsModule,
      providers: [
        RedisOutages,
        {
          provide: RequestWindows,
          inject: [Pipeline, RedisOutages, Metrics],
          useFactory: (pipeline: Pipeline, outages: RedisOutages, metrics: Metrics) => {
            const postgres = new PostgresRequestWindows(pipeline);
            if (redisUrl === null) return postgres;
            outages.show(metrics);
            return new RedisOrPostgresWindows(new RedisRequestWindows(redisUrl), postgres, outages);
          },
        },
      ],
      exports: [RequestWindows, RedisOutages],
    };
    return {
      module: RateLimitModule,
      imports: [
        windows,
        ThrottlerModule.forRootAsync({
          imports: [windows],
          inject: [RequestWindows],
          useFactory: (requestWindows: RequestWindows) => ({
            throttlers: [{ ttl: RATE_LIMIT_SPAN_MS, limit: limitOfCaller, blockDuration: 0 }],
            storage: new WindowThrottlerStorage(requestWindows),
          }),
        }),
      ],
      providers: [{ provide: FailedAuthentications, useClass: FailedAuthenticationLimit }],
      exports: [FailedAuthentications, ThrottlerModule, windows],
    };
  }
}

@Module({})
class RequestWindowsModule {}
