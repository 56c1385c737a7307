import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Throughput } from '../../sending/slots/throughput.js';
import { type Beats, PhoneSlots } from './phone-slots.js';

/** What takes turns at a phone: the run of a campaign. */
export interface TurnTaker {
  readonly phone: BusinessPhone;
  /** Sends one group. Never rejects. @returns whether there may be more to send */
  advance(slots: PhoneSlots): Promise<boolean>;
  /** There are no more turns. @returns when nothing of it is in flight */
  leave(): Promise<void>;
}

/** Decides whose turn it is among the campaigns of one business phone: one group of each, whenever the phone may claim. */
export class PhonePump {
  private readonly waiting: TurnTaker[] = [];
  private readonly slots: PhoneSlots;
  private taking = 0;
  private isRunning = false;

  /** @param onEnded called when nothing is left to send and nothing is in flight, so that a phone never has two pumps */
  constructor(
    throughput: Throughput,
    beats: Beats,
    private readonly onEnded: () => void,
  ) {
    this.slots = new PhoneSlots(throughput, beats);
  }

  /** Adds a campaign to send from this phone. */
  add(run: TurnTaker): void {
    this.waiting.push(run);
    this.taking += 1;
    if (!this.isRunning) void this.giveTurns();
  }

  /** Stops claiming; what is in flight is finished. */
  stop(): void {
    this.slots.stop();
  }

  private async giveTurns(): Promise<void> {
    this.isRunning = true;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      await this.slots.due(next.phone);
      if (!this.slots.isStopped && (await next.advance(this.slots))) this.waiting.push(next);
      else void this.dismiss(next);
    }
    this.isRunning = false;
    this.endIfIdle();
  }

  private async dismiss(run: TurnTaker): Promise<void> {
    await run.leave();
    this.taking -= 1;
    this.endIfIdle();
  }

  private endIfIdle(): void {
    if (!this.isRunning && this.taking === 0) this.onEnded();
  }
}
