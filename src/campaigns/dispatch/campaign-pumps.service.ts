import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Throughput } from '../../network/throughput.js';
import type { LeavesUnfinished } from '../../runtime/shutdown-hooks.js';
import { CampaignFailuresService } from '../lifecycle/campaign-failures.service.js';
import { CampaignLifecycleService } from '../lifecycle/campaign-lifecycle.service.js';
import { type ActiveCampaign, activeCampaign } from './active-campaign.js';
import { Beat } from './beat.js';
import { CampaignDispatcherService } from './campaign-dispatcher.service.js';
import { DispatchPlansService } from './dispatch-plans.service.js';
import { InFlightRoom } from './in-flight-room.js';
import { PhonePump, type PumpContext } from './phone-pump.js';
import { RecipientClaimsService } from './recipient-claims.service.js';

/** Campaign messages in flight per process. */
const MAX_IN_FLIGHT = 1536;
/** How often pumps of phones with a throughput limit wake, milliseconds. */
const BEAT_MS = 100;

/**
 * Owns the campaigns this process is sending, with one pump per business phone; there may be thousands. Pumps decide
 * when to send, and their work shares batched statements. A phone is pumped by one process at a time. A process asked
 * to send from a phone that another one owns does nothing: the owner looks for due campaigns several times a second.
 */
@Injectable()
export class CampaignPumpsService implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(CampaignPumpsService.name);
  private readonly pumps = new Map<string, PhonePump>();
  /** Campaigns that are in a pump or about to be added to one. */
  private readonly active = new Set<string>();
  private readonly room = new InFlightRoom(MAX_IN_FLIGHT);
  private readonly context: PumpContext;
  private isClosing = false;
  private idle: () => void = () => undefined;

  constructor(
    private readonly throughput: Throughput,
    claims: RecipientClaimsService,
    dispatcher: CampaignDispatcherService,
    private readonly plans: DispatchPlansService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly failures: CampaignFailuresService,
  ) {
    this.context = {
      beat: new Beat(BEAT_MS),
      throughput,
      claims,
      dispatcher,
      room: this.room,
      replan: ({ accountId, campaignId }) => plans.prepare(accountId, campaignId),
      onLeft: ({ campaignId }) => this.active.delete(campaignId),
      onProgress: ({ campaignId }) => failures.recovered(campaignId),
      onLastSent: (campaign) => this.complete(campaign),
      onSettled: (campaign) => void this.settle(campaign),
      onFailed: ({ accountId, campaignId }, error) => failures.failed(accountId, campaignId, error),
    };
  }

  /** The campaigns this process is sending. */
  get campaignIds(): string[] {
    return [...this.active];
  }

  /** Sends a campaign, if it is running, until nothing of it is due. Never throws. */
  async start(accountId: string, campaignId: string): Promise<void> {
    if (this.isClosing || this.active.has(campaignId) || !this.failures.mayTry(campaignId)) return;
    this.active.add(campaignId);
    try {
      const plan = await this.plans.prepare(accountId, campaignId);
      if (plan !== null) return this.pumpOf(plan.phone.id).add(activeCampaign(plan));
      this.failures.forget(campaignId);
    } catch (error) {
      await this.failures.failed(accountId, campaignId, error);
    }
    this.active.delete(campaignId);
  }

  private pumpOf(phoneId: string): PhonePump {
    const known = this.pumps.get(phoneId);
    if (known !== undefined) return known;
    const pump = new PhonePump(this.context, () => {
      this.pumps.delete(phoneId);
    });
    this.pumps.set(phoneId, pump);
    if (this.isClosing) pump.stop();
    return pump;
  }

  private async settle(campaign: ActiveCampaign): Promise<void> {
    if (!campaign.isCompleted) await this.complete(campaign);
    if (this.room.size === 0) this.idle();
  }

  /** Completes the campaign if nothing is left to do. */
  private async complete({ accountId, campaignId }: ActiveCampaign): Promise<boolean> {
    try {
      return await this.lifecycle.completeIfDone(accountId, campaignId);
    } catch (error) {
      this.logger.debug(`campaign ${campaignId} will be completed by the sweep: ${(error as Error).message}`);
      return false;
    }
  }

  /** Stops claiming, and waits for the outcomes of everything in flight. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const pump of this.pumps.values()) pump.stop();
    if (this.room.size > 0) {
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
    }
    await this.throughput.release();
  }

  unfinished(): string | null {
    return this.room.size === 0 ? null : `${this.room.size} campaign messages; status reports will settle them`;
  }
}
