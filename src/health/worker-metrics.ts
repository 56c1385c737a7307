import { Injectable } from '@nestjs/common';
import { JobQueue } from '../queues/job-queue.js';
import { SweepRounds } from '../queues/sweep-rounds.js';
import { Metrics } from '../runtime/metrics.js';
import { FreshReading } from './fresh-reading.js';

/** Milliseconds within which the queue must answer. */
const QUEUE_PATIENCE_MS = 500;

/** Metrics of the queue and of this process's sweeps. */
@Injectable()
export class WorkerMetrics {
  constructor(metrics: Metrics, queue: JobQueue, sweeps: SweepRounds) {
    const ping = new FreshReading(() => queue.ping(), QUEUE_PATIENCE_MS);
    metrics.gauge({ name: 'parley_queue_up', help: 'Whether the queue answers this process' }, async () => {
      const isUp = await ping.get().then(
        () => true,
        () => false,
      );
      return [{ value: Number(isUp) }];
    });
    const labels = ['sweep'];
    metrics.gauge({ name: 'parley_sweeps_leader', help: 'Whether this worker runs the sweeps of the cluster' }, () =>
      sweeps.isCandidate ? [{ value: Number(sweeps.isLeading) }] : [],
    );
    metrics.gauge(
      {
        name: 'parley_sweep_age_seconds',
        help: 'Time since a sweep last succeeded or found nothing to do, in the worker that runs the sweeps',
        labels,
      },
      () =>
        sweeps
          .readings()
          .flatMap(({ name, ageMs }) => (ageMs === null ? [] : [{ labels: { sweep: name }, value: ageMs / 1000 }])),
    );
    metrics.total({ name: 'parley_sweep_failures_total', help: 'Runs of a sweep that failed', labels }, () =>
      sweeps.readings().map(({ name, failures }) => ({ labels: { sweep: name }, value: failures })),
    );
    const items = {
      name: 'parley_sweep_item_failures_total',
      help: 'Items of a sweep that failed; the others went on',
      labels,
    };
    metrics.total(items, () =>
      sweeps.readings().map(({ name, itemFailures }) => ({ labels: { sweep: name }, value: itemFailures })),
    );
  }
}
