import { Room } from '../manifest/room.js';
import { ExpiredRowsSweep } from './expired-rows.sweep.js';
import { PartitionSweep } from './partition.sweep.js';
import { StatisticsSweep } from './statistics.sweep.js';

/** Keeps tables small and fast: creates and drops partitions, deletes expired rows, refreshes statistics. */
@Room({
  worker: [PartitionSweep, ExpiredRowsSweep, StatisticsSweep],
})
export class UpkeepModule {}
