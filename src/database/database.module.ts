import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { Room } from '../manifest/room.js';
import { ConfigurationChanges } from './configuration-changes.js';
import { ConfigurationEpoch } from './configuration-epoch.entity.js';
import { Announcements } from './connections/announcements.js';
import { Connections, writesOptions } from './connections/connections.js';
import { dataSourceOptions } from './connections/data-source.js';
import { DatabaseMetrics } from './database-metrics.js';
import { HashKey } from './secrets/hash-key.entity.js';
import { SecretBox } from './secrets/secret-box.js';
import { BackgroundUnitOfWork, Pipeline, UnitOfWork } from './unit-of-work.js';

/** Provides a class that runs statements on the process's connections. */
const onConnections = (
  kind: new (dataSource: DataSource, connections: Connections) => UnitOfWork | Pipeline,
): Provider => ({
  provide: kind,
  useFactory: (dataSource: DataSource, connections: Connections) => new kind(dataSource, connections),
  inject: [DataSource, Connections],
});

/** Database connections, units of work, configuration changes and encryption of stored secrets. */
@Room({ entities: [ConfigurationEpoch, HashKey] })
export class DatabaseModule {
  static register(environment: Environment, entities: readonly Type[]): DynamicModule {
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
        { provide: Announcements, useFactory: () => new Announcements(environment) },
        ConfigurationChanges,
        DatabaseMetrics,
        { provide: SecretBox, useFactory: () => new SecretBox(environment.encryptionKeys) },
      ],
      exports: [
        Announcements,
        Connections,
        UnitOfWork,
        BackgroundUnitOfWork,
        Pipeline,
        ConfigurationChanges,
        SecretBox,
      ],
    };
  }
}
