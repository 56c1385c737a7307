import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { Shutdown } from './shutdown.js';

/** Provides process-wide state: shutdown and metrics. */
@Global()
@Module({})
export class RuntimeModule {
  static register(shutdown: Shutdown, metrics: Metrics): DynamicModule {
    return {
      module: RuntimeModule,
      providers: [
        { provide: Shutdown, useValue: shutdown },
        { provide: Metrics, useValue: metrics },
      ],
      exports: [Shutdown, Metrics],
    };
  }
}
