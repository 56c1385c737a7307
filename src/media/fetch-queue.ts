import { Injectable } from '@nestjs/common';
import type { IdsOf } from '../manifest/job-kind.js';
import { JobQueue } from '../queues/job-queue.js';
import { WakeQueue } from '../queues/wake-queue.js';
import { MEDIA_FETCH } from './media.jobs.js';

/** Queues jobs that fetch files, one per account. */
@Injectable()
export class FetchQueue extends WakeQueue<IdsOf<typeof MEDIA_FETCH>> {
  constructor(queue: JobQueue) {
    super(queue, MEDIA_FETCH);
  }

  add(accountId: string): void {
    this.put(accountId, { account_id: accountId });
  }
}
