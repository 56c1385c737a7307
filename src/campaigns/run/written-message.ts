import { recipientOf, recipientRef } from '../../people/contact-ref.js';
import type { Attempt, Attempts } from '../../sending/attempts.js';
import { CAMPAIGN_PATIENCE, type Series } from '../../sending/judge.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import type { PersonalMessage } from './personal-body.js';
import type { ClaimedMessage } from './recipient-claims.service.js';

/** What a recipient gets: the shared message, or its own. */
interface Made extends Pick<CampaignPlan, 'body'>, Pick<PersonalMessage, 'code'> {
  /** Whether the phone waits and this message tries it. */
  readonly isProbe: boolean;
}

/** Writes one message of a campaign to the network. */
export function answerTo(
  attempts: Attempts,
  { phone, token, fileIds }: CampaignPlan,
  { message, recipient }: ClaimedMessage,
  { body: common, code, isProbe }: Made,
): Promise<Attempt> {
  const own = { ...recipientOf(recipientRef(message)), biz_opaque_callback_data: message.messageId };
  // The shared part is serialised once for all recipients.
  const body = `${common.slice(0, -1)},${JSON.stringify(own).slice(1)}`;
  const series = (): Series => ({ attempts: recipient.attempts, elapsedMs: 0, patience: CAMPAIGN_PATIENCE });
  return attempts.make({ phone, token, body, code, fileIds, origin: 'campaign', isProbe }, series);
}
