import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from './environment.js';
import { ENVIRONMENT } from './environment.token.js';

/** Makes the validated environment injectable. */
@Global()
@Module({})
export class ConfigModule {
  static register(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
