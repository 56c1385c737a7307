import type { PhoneWaits } from '../../sending/slots/phone-waits.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import type { Attempted } from './group.js';

/**
 * A run's turn to try a phone that waits, because the network keeps failing its messages: with one message at a time, by
 * one process. A death costs the time until the next one may try.
 */
export class PhoneProbe {
  /** Whether this run tries the phone now. */
  isTaken = false;

  constructor(private readonly waits: PhoneWaits) {}

  /** Whether the run may send: its phone does not wait, or this is the turn to try it. */
  async mayTry({ phone, isPhoneWaiting }: CampaignPlan): Promise<boolean> {
    if (!isPhoneWaiting) return true;
    const turn = await this.waits.takeProbe(phone);
    this.isTaken = turn === 'probe';
    return turn !== 'wait';
  }

  /**
   * Ends the turn, if it was taken, with what the network said to the message.
   *
   * @param attempted empty: no message was sent
   * @returns whether the phone waits on
   */
  async end({ phone }: CampaignPlan, attempted: readonly Attempted[]): Promise<boolean> {
    if (!this.isTaken) return false;
    this.isTaken = false;
    const [only] = attempted;
    if (only !== undefined && !isSkipped(only)) return !(await this.waits.probed(phone, only.health));
    await this.waits.giveProbeBack(phone);
    return false;
  }
}

/** Whether we did not even ask the network. */
const isSkipped = ({ isUntried, health }: Attempted): boolean => isUntried && health === null;
