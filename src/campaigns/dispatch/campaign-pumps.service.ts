import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Throughput } from '../../network/throughput.js';
import type { LeavesUnfinished } from '../../runtime/shutdown-hooks.js';
import { CampaignFailuresService } from '../lifecycle/campaign-failures.service.js';
import { CampaignLifecycleService } from '../lifecycle/campaign-lifecycle.service.js';
import { Beat } from './beat.js';
import { CampaignDispatcherService } from './campaign-dispatcher.service.js';
import { type CampaignTurn, newTurn } from './campaign-turn.js';
import { DispatchPlansService } from './dispatch-plans.service.js';
import { InFlightRoom } from './in-flight-room.js';
import { PhonePump, type PumpContext } from './phone-pump.js';
import { RecipientClaimsService } from './recipient-claims.service.js';

/** Campaign messages that one process has in hand at once. */
const MAX_IN_FLIGHT = 1536;
/** How often pumps with slots wake, milliseconds. */
const BEAT_MS = 100;

/**
 * The campaigns that this process sends: one pump for each phone with something due, thousands at once. Pumps decide when, and
 * share the statements that do the work. A phone is pumped by one process at a time; whoever is asked for a phone of
 * another leaves it to that one, which looks for new campaigns several times a second.
 */
@Injectable()
export class CampaignPumpsService implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(CampaignPumpsService.name);
  private readonly pumps = new Map<string, PhonePump>();
  /** Campaigns in a pump, or on their way there. */
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
      onLastSent: (turn) => this.complete(turn),
      onSettled: (turn) => void this.settle(turn),
      onFailed: ({ accountId, campaignId }, error) => failures.failed(accountId, campaignId, error),
    };
  }

  /** The campaigns that this process sends at the moment. */
  get campaignIds(): string[] {
    return [...this.active];
  }

  /** Sends a campaign if it runs, from now on and until nothing of it is due. Never throws. */
  async start(accountId: string, campaignId: string): Promise<void> {
    if (this.isClosing || this.active.has(campaignId) || !this.failures.mayTry(campaignId)) return;
    this.active.add(campaignId);
    try {
      const plan = await this.plans.prepare(accountId, campaignId);
      if (plan !== null) return this.pumpOf(plan.phone.id).add(newTurn(plan));
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

  private async settle(turn: CampaignTurn): Promise<void> {
    if (!turn.isCompleted) await this.complete(turn);
    if (this.room.size === 0) this.idle();
  }

  /** Completes a campaign of which nothing is left to do. */
  private async complete({ accountId, campaignId }: CampaignTurn): Promise<boolean> {
    try {
      return await this.lifecycle.completeIfDone(accountId, campaignId);
    } catch (error) {
      this.logger.debug(`campaign ${campaignId} is left to the sweep: ${(error as Error).message}`);
      return false;
    }
  }

  /** Claims nothing more, and waits for the outcomes of what is under way. */
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
    return this.room.size === 0 ? null : `${this.room.size} campaign messages, which their reports settle`;
  }
}
