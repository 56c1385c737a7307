import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AuthenticationGuard } from './auth/authentication.guard.js';
import { ScopeGuard } from './auth/scope.guard.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { RequestBodies } from './http/accepted-body.js';
import { ErrorFilter } from './http/error.filter.js';
import { IgnoredFields } from './http/ignored-fields.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import type { Manifest } from './manifest/manifest.js';
import { ManifestModule } from './manifest/manifest.module.js';
import { moduleOf } from './manifest/room.js';
import type { QueueBackend } from './queues/queue-backend.js';
import { QueuesModule } from './queues/queues.module.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RequestInterceptor } from './request.interceptor.js';
import type { Metrics } from './runtime/metrics.js';
import { RuntimeModule } from './runtime/runtime.module.js';
import type { Shutdown } from './runtime/shutdown.js';

/** The parts that a process passes into its modules. */
export interface AppParts {
  readonly environment: Environment;
  readonly backend: QueueBackend;
  readonly shutdown: Shutdown;
  readonly metrics: Metrics;
  /** What all rooms declare. */
  readonly manifest: Manifest;
}

/** Composes the modules of one process according to its roles. */
@Module({})
export class AppModule {
  static register({ environment, backend, shutdown, metrics, manifest }: AppParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(environment),
        ManifestModule.register(manifest),
        RuntimeModule.register(shutdown, metrics),
        QueuesModule.register(backend, manifest),
        ...manifest.rooms.map((room) => moduleOf(room, environment, manifest.entities)),
      ],
      providers: [
        IgnoredFields,
        RequestBodies,
        // Guards run in this order: authentication (401), rate limit (429), scopes (403).
        { provide: APP_GUARD, useClass: AuthenticationGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
