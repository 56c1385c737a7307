import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import { CampaignCredits, type CreditSettlement } from '../../messages/reports/campaign-credits.js';
import { settleCredits } from './campaign-credits.queries.js';

/** Keeps campaign credits in step with message outcomes. */
@Injectable()
export class CampaignCreditsService extends CampaignCredits {
  settle(settlements: readonly CreditSettlement[], tx: Tx): Promise<void> {
    return settleCredits(settlements, tx);
  }
}
