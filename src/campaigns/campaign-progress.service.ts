import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { type CampaignDelta, CampaignProgress, type CampaignSettlement } from '../messages/campaign-progress.js';
import { newRecordId } from '../values/record-id.js';
import { moveCounters, settleCredits } from './campaign-progress.queries.js';

/** Keeps campaign counters and credits in step with the messages. */
@Injectable()
export class CampaignProgressService extends CampaignProgress {
  async record(deltas: readonly CampaignDelta[], settlements: readonly CampaignSettlement[], tx: Tx): Promise<void> {
    if (deltas.length > 0) await moveCounters(deltas, tx);
    if (settlements.length > 0) {
      await settleCredits(
        settlements,
        settlements.map(() => newRecordId()),
        tx,
      );
    }
  }
}
