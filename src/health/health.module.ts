import { Room } from '../manifest/room.js';
import { BacklogMetrics } from './backlog-metrics.js';
import { HealthController } from './health.controller.js';
import { Health } from './health.js';
import { WorkerMetrics } from './worker-metrics.js';

/** Whether the process lives and is ready, and metrics about its work. */
@Room({
  tags: [['health', 'For orchestrators']],
  controllers: [HealthController],
  providers: [Health, BacklogMetrics, WorkerMetrics],
})
export class HealthModule {}
