import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { NetworkCopies } from '../../media/network-copies.js';
import { InFlightRoom } from '../../runtime/in-flight-room.js';
import type { LeavesUnfinished } from '../../runtime/shutdown-hooks.js';
import { PhoneWaits } from '../../sending/slots/phone-waits.js';
import { CampaignEndingsService } from '../control/campaign-endings.service.js';
import { CampaignFailuresService } from '../control/campaign-failures.service.js';
import { AnswerConsequencesService } from './answer-consequences.service.js';
import { CampaignRun } from './campaign-run.js';
import { PhonePump } from './phone-pump.js';
import { Beats } from './phone-slots.js';
import { type RunContext, RunServices } from './run-services.js';

/** Connections on which the statements of a run are prepared when the process starts. */
const WARM_CONNECTIONS = 3;
/** Campaign messages in flight per process. */
const MAX_IN_FLIGHT = 1536;

/**
 * Owns the campaigns this process is sending, with one pump per business phone; there may be thousands. Pumps decide
 * when to send, and their work shares batched statements. A phone is pumped by one process at a time. A process asked
 * to send from a phone that another one owns does nothing: the owner looks for due campaigns several times a second.
 */
@Injectable()
export class CampaignPumpsService implements OnApplicationBootstrap, BeforeApplicationShutdown, LeavesUnfinished {
  private readonly pumps = new Map<string, PhonePump>();
  /** Campaigns that are in a pump or about to be added to one. */
  private readonly active = new Set<string>();
  private readonly room = new InFlightRoom(MAX_IN_FLIGHT);
  private readonly beats = new Beats();
  private readonly context: RunContext;
  private isClosing = false;
  private ended: () => void = () => undefined;

  constructor(
    private readonly services: RunServices,
    endings: CampaignEndingsService,
    private readonly failures: CampaignFailuresService,
    consequences: AnswerConsequencesService,
    waits: PhoneWaits,
    copies: NetworkCopies,
  ) {
    const onLeft = (campaignId: string): void => {
      this.active.delete(campaignId);
    };
    const logger = new Logger(CampaignRun.name);
    this.context = { ...services, endings, failures, consequences, waits, copies, room: this.room, logger, onLeft };
  }

  /**
   * Plans the statements of a run before the first campaign needs them: that takes a tenth of a second, in which a phone of
   * 200 messages a second would fall behind its slots. Without a database, the first campaign does it.
   */
  onApplicationBootstrap(): void {
    const { throughput, claims, outcomes } = this.services;
    for (let connection = 0; connection < WARM_CONNECTIONS; connection += 1) {
      for (const each of [throughput, claims, outcomes]) each.warmUp().catch(() => undefined);
    }
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
      const run = await CampaignRun.begin(this.context, { accountId, campaignId });
      if (run?.hasFiles) return this.pumpOf(run.phone.id).add(run);
      if (run !== null) return void this.addWithFiles(run);
      this.failures.forget(campaignId);
    } catch (error) {
      await this.failures.failed(accountId, campaignId, error);
    }
    this.active.delete(campaignId);
  }

  /** Nobody else waits for the upload of a campaign's files, which may take minutes. Never rejects. */
  private async addWithFiles(run: CampaignRun): Promise<void> {
    const { accountId, campaignId } = run.key;
    try {
      if ((await run.upload()) && !this.isClosing) return this.pumpOf(run.phone.id).add(run);
    } catch (error) {
      await this.failures.failed(accountId, campaignId, error);
    }
    this.active.delete(campaignId);
  }

  private pumpOf(phoneId: string): PhonePump {
    const known = this.pumps.get(phoneId);
    if (known !== undefined) return known;
    const pump = new PhonePump(this.services.throughput, this.beats, () => {
      this.pumps.delete(phoneId);
      if (this.pumps.size === 0) this.ended();
    });
    this.pumps.set(phoneId, pump);
    if (this.isClosing) pump.stop();
    return pump;
  }

  /** Stops claiming, and waits for the outcomes of everything in flight. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const pump of this.pumps.values()) pump.stop();
    if (this.pumps.size > 0) {
      await new Promise<void>((resolve) => {
        this.ended = resolve;
      });
    }
    await this.services.throughput.release();
  }

  unfinished(): string | null {
    return this.room.size === 0 ? null : `${this.room.size} campaign messages; status reports will settle them`;
  }
}
