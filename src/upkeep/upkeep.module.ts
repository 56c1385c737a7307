import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ExpiredRowsSweep } from './expired-rows.sweep.js';
import { PartitionSweep } from './partition.sweep.js';
import { StatisticsSweep } from './statistics.sweep.js';

/** What the tables need to stay small and fast: partitions made and dropped, old rows deleted, statistics kept current. */
@Module({})
export class UpkeepModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: UpkeepModule,
      providers: roles.has('worker') ? [PartitionSweep, ExpiredRowsSweep, StatisticsSweep] : [],
    };
  }
}
