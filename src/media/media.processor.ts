import { Processor } from '@nestjs/bullmq';
import type { IdsOf } from '../manifest/job-kind.js';
import { QueueProcessor, WORKER_OPTIONS } from '../queues/queue.processor.js';
import { FetchPool } from './fetch-pool.js';
import { MEDIA_FETCH } from './media.jobs.js';

/** Hands each account to this process's pool. The job ends before any file has come, so files occupy no job slot. */
@Processor(MEDIA_FETCH.queue, { ...WORKER_OPTIONS, concurrency: 16 })
export class MediaProcessor extends QueueProcessor<IdsOf<typeof MEDIA_FETCH>> {
  constructor(private readonly pool: FetchPool) {
    super(MEDIA_FETCH);
  }

  protected async perform({ account_id }: IdsOf<typeof MEDIA_FETCH>): Promise<void> {
    this.pool.wake(account_id);
  }
}
