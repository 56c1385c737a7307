import { Injectable } from '@nestjs/common';
import type { MessageError } from '../../messages/message-event.js';
import { classOf, plainWords, stoppedBy } from '../../network/network-codes.js';
import type { NetworkRefusal } from '../../network/network-error.js';
import { Throughput } from '../../sending/slots/throughput.js';
import { type MetStop, Stops } from '../../sending/stops.js';
import { CampaignEndingsService } from '../control/campaign-endings.service.js';
import { FailureBrakeService } from '../control/failure-brake.service.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import type { Attempted } from './group.js';

/** What follows for a campaign and its phone from the network's answers, once they are stored. */
@Injectable()
export class AnswerConsequencesService {
  constructor(
    private readonly endings: CampaignEndingsService,
    private readonly stops: Stops,
    private readonly throughput: Throughput,
    private readonly brake: FailureBrakeService,
  ) {}

  /** Ends the campaign, or slows the phone down, when answers demand it. */
  async obey({ campaign, phone }: CampaignPlan, attempted: readonly Attempted[]): Promise<void> {
    const stop = attempted.find(({ verdict }) => verdict.stop !== null)?.verdict.stop ?? null;
    if (stop !== null) await this.endings.stopFor(campaign, errorOf(stop), stoppedBy(stop.errorClass) ?? 'phone');
    if (attempted.some(({ verdict }) => verdict.tooFast)) await this.throughput.slowDown(phone);
  }

  /**
   * Looks, in the background, whether other campaigns have to end too, whether too many recipients fail, and whether the
   * latest all fail for one reason.
   */
  judge({ campaign }: CampaignPlan, attempted: readonly Attempted[]): void {
    const met: MetStop[] = [];
    for (const { message, verdict } of attempted) {
      const error = verdict.stop === null ? verdict.report?.error : errorOf(verdict.stop);
      if (error === undefined) continue;
      met.push({ ...message, error, errorClass: verdict.stop?.errorClass ?? classOf({ code: error.code }) });
    }
    if (met.length === 0) return;
    void this.brake.judge(campaign);
    this.stops.stop(met);
  }
}

const errorOf = (refusal: NetworkRefusal): MessageError => ({ code: refusal.code, message: plainWords(refusal) });
