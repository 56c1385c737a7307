import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { mentionOutbound } from '../conversations/thread.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { insertIntents } from '../messages/message.queries.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import type { Attempt } from './attempt-rules.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { attachMessages, claimRecipients, postponeSettling, stampStarted } from './recipient.queries.js';

/** A recipient in hand, with the committed message that is about to be sent to it. */
export interface ClaimedMessage extends Attempt {
  readonly messageId: string;
  readonly phoneNumber: string;
  readonly optedIn: boolean;
  readonly deleted: boolean;
}

/** Takes recipients in hand: claim, message intents and threads commit together, before anything is sent. */
@Injectable()
export class RecipientClaims {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param most recipients at most
   * @param leaseMs how long they are held without a sign of life
   */
  async claim(plan: DispatchPlan, most: number, leaseMs: number): Promise<ClaimedMessage[]> {
    const { campaign, phone } = plan;
    const { accountId } = phone;
    const at = now();
    const settleAt = new Date(at.getTime() + this.environment.unknownOutcomeHorizonMs);
    return this.unitOfWork.transaction(async (tx) => {
      const recipients = await claimRecipients(accountId, campaign.id, most, leaseMs, tx);
      if (recipients.length === 0) return [];
      const claimed = recipients.map((recipient) => ({ recipient, messageId: recipient.message_id ?? newRecordId() }));
      const first = claimed.filter(({ recipient }) => recipient.message_id === null);
      const again = claimed.filter(({ recipient }) => recipient.message_id !== null);
      if (first.length > 0) {
        await mentionOutbound(
          first.map(({ recipient }) => ({
            accountId,
            threadId: newRecordId(),
            contactId: recipient.contact_id,
            businessPhoneId: phone.id,
            preview: plan.content,
          })),
          at,
          tx,
        );
        await insertIntents(
          first.map(({ recipient, messageId }) => ({
            accountId,
            id: messageId,
            contactId: recipient.contact_id,
            businessPhoneId: phone.id,
            messageType: 'template',
            content: plan.content,
            templateName: campaign.template_name,
            campaignId: campaign.id,
            recipientId: recipient.id,
          })),
          at,
          settleAt,
          tx,
        );
        await attachMessages(
          accountId,
          first.map(({ recipient }) => recipient.id),
          first.map(({ messageId }) => messageId),
          tx,
        );
      }
      if (again.length > 0) {
        await postponeSettling(
          accountId,
          again.map(({ messageId }) => messageId),
          settleAt,
          tx,
        );
      }
      if (campaign.started_at === null) await stampStarted(accountId, campaign.id, tx);
      return claimed.map(({ recipient, messageId }) => ({
        recipientId: recipient.id,
        messageId,
        attempts: recipient.attempts,
        firstAttemptAt: recipient.first_attempt_at,
        phoneNumber: recipient.phone_number,
        optedIn: recipient.opted_in,
        deleted: recipient.deleted,
      }));
    });
  }
}
