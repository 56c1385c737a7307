import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type EntityTarget } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ConfigurationChanges } from './configuration-changes.js';
import { Connections, writesOptions } from './connections/connections.js';
import { DatabaseMetrics } from './connections/database-metrics.js';
import { Pipeline } from './connections/pipeline.js';
import { dataSourceOptions } from './data-source.js';
import { SecretBox } from './secrets/secret-box.js';
import { BackgroundUnitOfWork, UnitOfWork } from './unit-of-work.js';

/** Provides a class that runs statements on the process's connections. */
const onConnections = (
  kind: new (dataSource: DataSource, connections: Connections) => UnitOfWork | Pipeline,
): Provider => ({
  provide: kind,
  useFactory: (dataSource: DataSource, connections: Connections) => new kind(dataSource, connections),
  inject: [DataSource, Connections],
});

/** Database connections, units of work, configuration changes and encryption of stored secrets. */
@Global()
@Module({})
export class DatabaseModule {
  static register(environment: Environment, entities: readonly EntityTarget<unknown>[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ ...writesOptions(environment), entities }),
          retryAttempts: 0,
        }),
      ],
      providers: [
        { provide: Connections, useFactory: () => new Connections(environment) },
        ...[UnitOfWork, BackgroundUnitOfWork, Pipeline].map(onConnections),
        ConfigurationChanges,
        DatabaseMetrics,
        { provide: SecretBox, useFactory: () => new SecretBox(environment.encryptionKeys) },
      ],
      exports: [Connections, UnitOfWork, BackgroundUnitOfWork, Pipeline, ConfigurationChanges, SecretBox],
    };
  }
}
