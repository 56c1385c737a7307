import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { Shutdown } from './shutdown.js';

/** What every room may need to know of the process that it runs in. */
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
