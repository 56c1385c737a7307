import {
  heldFor,
  type PlannedReport,
  planFailure,
  planReports,
  UNDELIVERABLE,
  withPlayed,
} from '../callbacks/delivery-plan.js';
import type { Behaviour } from '../control/behaviour.js';
import { isObject } from '../json-object.js';
import type { MediaLinks } from '../media/media-links.js';
import type { CheckedSend } from './checked-send.js';
import type { MarketingLimits } from './marketing-limits.js';
import type { Pacing } from './pacing.js';

/** The code of a marketing message that is kept from its recipient. */
const MARKETING_LIMITED = 131049;
/** The code of a message whose file cannot be used. */
const UNUSABLE_MEDIA = 131053;

/** What becomes of an accepted message. */
export interface Fate {
  plan: readonly PlannedReport[];
  /** Whether it waits for a verdict on its template or portfolio. */
  isHeld: boolean;
}

const isVoiceNote = ({ message: { audio } }: CheckedSend): boolean => isObject(audio) && audio.voice === true;

/** Decides what becomes of a message when it is accepted, so that it can be stored with the message. */
export class Fates {
  constructor(
    private readonly behaviour: Behaviour,
    private readonly pacing: Pacing,
    private readonly marketing: MarketingLimits,
    private readonly links: MediaLinks,
  ) {}

  async of(send: CheckedSend): Promise<Fate> {
    const { settings } = this.behaviour;
    const { addressee, phone, template, isLost } = send;
    if (isLost) return { plan: planFailure(UNDELIVERABLE, settings), isHeld: false };
    const hold = template && settings.pacing ? await this.pacing.hold(phone, template) : null;
    const code = hold?.code ?? (await this.failureOf(send));
    const plan =
      code === null
        ? planReports(addressee.to ?? addressee.userId, this.behaviour, send.type)
        : planFailure(code, settings);
    return hold === null
      ? { plan: isVoiceNote(send) ? withPlayed(plan, settings) : plan, isHeld: false }
      : { plan: heldFor(hold.ms, plan), isHeld: hold.ms > 0 };
  }

  /** The code with which the message fails, whatever its recipient's number says; null if it does not. */
  private async failureOf(send: CheckedSend): Promise<number | null> {
    if (this.marketing.drops(send)) return MARKETING_LIMITED;
    return (await this.links.areUsable(send.message)) ? null : UNUSABLE_MEDIA;
  }
}
