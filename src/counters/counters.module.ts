import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { CounterFoldSweep } from './counter-fold.sweep.js';

/** Exact counts that no writer waits for. */
@Module({})
export class CountersModule {
  static register({ roles }: Environment): DynamicModule {
    return { module: CountersModule, providers: roles.has('worker') ? [CounterFoldSweep] : [] };
  }
}
