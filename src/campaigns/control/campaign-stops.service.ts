import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { classOf, stoppedBy } from '../../network/network-codes.js';
import type { MetStop, Stops } from '../../sending/stops.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import { CampaignEndingsService } from './campaign-endings.service.js';
import { allowRetryOf } from './repeated-codes.queries.js';
import { RepeatedCodesService } from './repeated-codes.service.js';
import { findRefusedTemplate, findStoppedCampaigns, type Stopped } from './stops.queries.js';

/**
 * Ends all running campaigns that a stop concerns, whichever message met it, at once or in a report; and a campaign whose
 * recipients keep failing for one and the same reason.
 */
@Injectable()
export class CampaignStopsService implements Stops {
  private readonly logger = new Logger(CampaignStopsService.name);
  /** Stops being obeyed. */
  private readonly obeying = new Set<string>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly endings: CampaignEndingsService,
    private readonly repeatedCodes: RepeatedCodesService,
    private readonly templates: TemplateCatalogService,
  ) {}

  stop(met: readonly MetStop[]): void {
    for (const each of met) {
      const { accountId, businessPhoneId, campaignId, error, errorClass } = each;
      const stopped = stoppedBy(errorClass);
      if (stopped === null) {
        if (campaignId !== null) this.repeatedCodes.failed({ accountId, id: campaignId }, error);
        continue;
      }
      const key = [accountId, businessPhoneId, campaignId, error.code, errorClass].join();
      // One message of many says it all.
      if (this.obeying.has(key)) continue;
      this.obeying.add(key);
      this.obey(each, stopped)
        .catch((failure: Error) => this.logger.warn(`campaigns were not stopped: ${failure.message}`))
        .finally(() => this.obeying.delete(key));
    }
  }

  private async obey({ accountId, messageId, campaignId, error }: MetStop, stopped: Stopped): Promise<void> {
    const tx = this.unitOfWork.writes(accountId);
    // Those whom the network drops while it paces the business may be sent to again; the code alone would forbid it.
    if (campaignId !== null && stoppedBy(classOf(error)) === null) {
      await allowRetryOf(accountId, campaignId, error.code, tx);
    }
    const campaigns = await findStoppedCampaigns(accountId, messageId, stopped, tx);
    for (const campaign of campaigns) await this.endings.stopFor(campaign, error, stopped);
    if (stopped !== 'template') return;
    // Also when nothing runs with it any more.
    const templateId = await findRefusedTemplate(accountId, messageId, tx);
    if (templateId !== null) await this.templates.markUnavailable(accountId, templateId, error.code);
  }
}
