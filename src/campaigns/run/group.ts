import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { MessageError } from '../../messages/message-event.js';
import type { ReportedMessage } from '../../messages/outcomes/message-report.js';
import type { Acceptance } from '../../network/network.js';
import type { Attempt } from '../../sending/attempts.js';
import { refused, retryIn, type SendVerdict } from '../../sending/judge.js';
import type { NetworkHealth } from '../../sending/slots/network-health.js';
import type { Slots } from '../../sending/slots/send-pacer.js';
import type { SpanStart } from '../../tracing/spans.js';
import { now } from '../../values/clock.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import type { PhoneSlots } from './phone-slots.js';
import type { ClaimedGroup } from './recipient-claims.service.js';

/** A claimed group on its way through a run. */
export interface Group {
  readonly plan: CampaignPlan;
  readonly claim: ClaimedGroup;
  readonly slots: PhoneSlots;
  /** Its own slots. */
  readonly own: Slots;
  /** Outcomes so far, in the order in which they became known. */
  readonly attempted: Attempted[];
  /** Recipients not sent to yet, and messages whose outcomes are not stored. */
  unsent: number;
  unstored: number;
}

/** A claimed message with the verdict on it. */
export interface Attempted {
  readonly message: ReportedMessage;
  readonly verdict: SendVerdict;
  /** Null unless the network accepted the message. */
  readonly acceptance: Acceptance | null;
  /** When a recipient that was provably not sent to is due again; null: never. */
  readonly dueAt: Date | null;
  /** What the answer says about the network; null: nothing, or there is none. */
  readonly health: NetworkHealth;
  /** Whether none of the recipient's attempts was used up. */
  readonly isUntried: boolean;
  /** Whether it may not be sent to now, by its send window or a restriction: its campaign has to be planned again. */
  readonly isHeld: boolean;
}

/** A message that the network has answered, or has not. */
export const answered = (message: ReportedMessage, { verdict, result, health, isFree }: Attempt): Attempted => ({
  message,
  verdict,
  acceptance: 'acceptance' in result ? result.acceptance : null,
  dueAt: verdict.retryAfterMs === null ? null : inMs(verdict.retryAfterMs),
  health,
  isUntried: isFree,
  isHeld: false,
});

/** A message that must not be sent. */
export const unsent = (message: ReportedMessage, error: MessageError): Attempted => ({
  message,
  verdict: refused(error),
  acceptance: null,
  dueAt: null,
  health: null,
  isUntried: true,
  isHeld: false,
});

/** A message that was never attempted; its recipient is due again after so many milliseconds. */
export const dueAgain = (message: ReportedMessage, afterMs = 0): Attempted => ({
  message,
  verdict: retryIn(afterMs),
  acceptance: null,
  dueAt: inMs(afterMs),
  health: null,
  isUntried: true,
  isHeld: false,
});

/** A message that may not be sent before then. */
export const heldUntil = (message: ReportedMessage, until: Date): Attempted => ({
  ...dueAgain(message),
  dueAt: until,
  isHeld: true,
});

const inMs = (ms: number): Date => new Date(now().getTime() + ms);

export const CONTACT_DELETED = {
  code: MESSAGE_ERRORS.cancelled.code,
  message: 'The contact was deleted before this message was sent.',
};

/** One span for the whole group: thousands of messages a second would drown everything else. */
export const spanOf = ({ plan: { phone, campaign }, claim }: Group): SpanStart => ({
  name: 'campaign group',
  kind: 'internal',
  isRoot: true,
  attributes: {
    'parley.account_id': phone.accountId,
    'parley.campaign_id': campaign.id,
    'parley.business_phone_id': phone.id,
    'parley.messages': claim.messages.length,
  },
});
