import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { CounterFoldSweep } from './counter-fold.sweep.js';

/** Keeps exact counts that never block a writer. */
@Module({})
export class CountersModule {
  static register({ roles }: Environment): DynamicModule {
    return { module: CountersModule, providers: roles.has('worker') ? [CounterFoldSweep] : [] };
  }
}
