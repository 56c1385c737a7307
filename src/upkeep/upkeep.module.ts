import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ExpiredRowsSweep } from './expired-rows.sweep.js';
import { PartitionSweep } from './partition.sweep.js';
import { StatisticsSweep } from './statistics.sweep.js';

/** Keeps tables small and fast: creates and drops partitions, deletes expired rows, refreshes statistics. */
@Module({})
export class UpkeepModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: UpkeepModule,
      providers: roles.has('worker') ? [PartitionSweep, ExpiredRowsSweep, StatisticsSweep] : [],
    };
  }
}
