import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ExpiredKeysSweep } from './expired-keys.sweep.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { IdempotentRoutes } from './idempotent-routes.js';

/** Idempotency-Key: makes a POST request safe to repeat. A higher room must provide {@link AnswerRedaction}. */
@Module({})
export class IdempotencyModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: IdempotencyModule,
      providers: [IdempotencyKeysService, IdempotentRoutes, ...(roles.has('worker') ? [ExpiredKeysSweep] : [])],
      exports: [IdempotencyKeysService],
    };
  }
}
