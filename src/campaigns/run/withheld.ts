import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { isClosedToMarketing } from '../../sending/closed-markets.js';
import { now } from '../../values/clock.js';
import { type CampaignPlan, closedUntil } from '../planning/campaign-plan.js';
import { type Attempted, CONTACT_DELETED, heldUntil, unsent } from './group.js';
import type { PersonalFault, PersonalHold, PersonalMessage } from './personal-body.js';
import type { ClaimedMessage } from './recipient-claims.service.js';

/** What a recipient gets instead of the shared message, or why it gets none. */
export type Personal = PersonalMessage | PersonalFault | PersonalHold | undefined;

/** Whether a message is one to be sent. */
export const isMade = (own: Personal): own is PersonalMessage | undefined =>
  own === undefined || !('fault' in own || 'heldUntil' in own);

/** What forbids, at the moment of sending, to send to this recipient, now or at all; null: nothing. */
export function withheld(plan: CampaignPlan, { message, recipient }: ClaimedMessage, own: Personal): Attempted | null {
  if (plan.marketing && !recipient.optedIn) return unsent(message, MESSAGE_ERRORS.optedOut);
  if (plan.marketing && isClosedToMarketing(recipient)) return unsent(message, MESSAGE_ERRORS.marketingClosed);
  if (recipient.deleted) return unsent(message, CONTACT_DELETED);
  if (own !== undefined && 'heldUntil' in own) return heldUntil(message, own.heldUntil);
  const closed = closedUntil(plan, recipient.phoneNumber, now());
  if (closed !== null) return heldUntil(message, closed);
  return own !== undefined && 'fault' in own ? unsent(message, own.fault) : null;
}
