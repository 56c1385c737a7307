import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { EntityTarget } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ConfigurationEpoch } from './configuration-epoch.js';
import { dataSourceOptions } from './data-source.js';
import { Pipeline } from './pipeline.js';
import { SecretBox } from './secret-box.js';
import { UnitOfWork } from './unit-of-work.js';

/** The connection pool, units of work and what is shared by everything that stores. */
@Global()
@Module({})
export class DatabaseModule {
  static register(environment: Environment, entities: readonly EntityTarget<unknown>[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ url: environment.databaseUrl, poolSize: environment.databasePool, entities }),
          retryAttempts: 0,
        }),
      ],
      providers: [
        UnitOfWork,
        Pipeline,
        ConfigurationEpoch,
        { provide: SecretBox, useFactory: () => new SecretBox(environment.encryptionKeys) },
      ],
      exports: [UnitOfWork, Pipeline, ConfigurationEpoch, SecretBox],
    };
  }
}
