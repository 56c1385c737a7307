import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MIN_OWN_ERROR_CODE } from '../../errors/error-catalog.js';
import type { MessageError } from '../../messages/message-event.js';
import { COUNTRY_CLOSED, classOf, NOT_ALLOWED_TO_TEST } from '../../network/network-codes.js';
import { MINUTE } from '../../values/clock.js';
import { OncePer } from '../../values/once-per.js';
import type { Campaign } from '../campaign.entity.js';
import { repeatedCode } from '../planning/campaign-stop.js';
import { CampaignEndingsService } from './campaign-endings.service.js';
import { allowRetryOf, findRepeatedCode } from './repeated-codes.queries.js';

/**
 * Stops a campaign when twenty answered recipients in a row have failed for one and the same reason that lies in the
 * request, or that nobody knows: it would burn its whole list. They may be sent to again once the cause is mended.
 */
@Injectable()
export class RepeatedCodesService {
  private readonly logger = new Logger(RepeatedCodesService.name);
  /** Campaigns being looked at, with the failure that came meanwhile, if one did. */
  private readonly looking = new Map<string, MessageError | null>();
  private readonly warnings = new OncePer(MINUTE);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly endings: CampaignEndingsService,
  ) {}

  /** Call when a recipient's failure is stored, whoever brought it. Looks in the background; never throws. */
  failed({ accountId, id }: Pick<Campaign, 'accountId' | 'id'>, error: MessageError): void {
    if (!mayRepeat(error.code)) return;
    if (this.looking.has(id)) {
      this.looking.set(id, error);
      return;
    }
    this.looking.set(id, null);
    this.look(accountId, id, error)
      .catch((failure: Error) => {
        if (this.warnings.allows('')) this.logger.warn(`campaign ${id} was not looked at: ${failure.message}`);
      })
      .finally(() => {
        const meanwhile = this.looking.get(id) ?? null;
        this.looking.delete(id);
        if (meanwhile !== null) this.failed({ accountId, id }, meanwhile);
      });
  }

  private async look(accountId: string, campaignId: string, { code, message }: MessageError): Promise<void> {
    const tx = this.unitOfWork.writes(accountId);
    const run = await findRepeatedCode(accountId, campaignId, code, tx);
    if (run === null) return;
    await allowRetryOf(accountId, campaignId, code, tx);
    await this.endings.stop(run, repeatedCode(message));
  }
}

/** Whether the next recipients may be expected to fail with the same code of the network. */
function mayRepeat(code: number): boolean {
  if (code >= MIN_OWN_ERROR_CODE) return false;
  const kind = classOf({ code });
  return kind === 'request' || kind === 'unknown' || code === COUNTRY_CLOSED || code === NOT_ALLOWED_TO_TEST;
}
