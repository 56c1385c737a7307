import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { isContention, isPassing } from '../database/passing-error.js';
import { Pipeline } from '../database/pipeline.js';
import { fullName } from '../messages/message-event.js';
import { type ReportedMessage, untouchedMessage } from '../messages/message-report.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import { AbandonedClaims } from './abandoned-claims.service.js';
import type { Attempt } from './attempt-rules.js';
import type { DispatchPlan } from './dispatch-plan.js';
import type { PersonalFault, PersonalMessage } from './personal-body.js';
import { PersonalMessageMaker } from './personal-messages.service.js';
import { claimRecipients } from './recipient-claim.queries.js';

/** A recipient in hand, with the committed message that is about to be sent to it. */
export interface ClaimedMessage extends Attempt {
  /** As it is stored before anything is learned about it. */
  readonly message: ReportedMessage;
  /** Where the message is not the one that all have in common. */
  readonly personal: PersonalMessage | PersonalFault | null;
  readonly optedIn: boolean;
  readonly deleted: boolean;
}

/** Recipients that were claimed together: one batch in flight. */
export interface ClaimedBatch {
  readonly id: string;
  readonly claimed: readonly ClaimedMessage[];
  /** The highest position claimed; -1 when nothing was. */
  readonly lastPosition: number;
}

/** Takes recipients in hand: claim, messages, threads and the batch in flight commit together, before anything is sent. */
@Injectable()
export class RecipientClaims {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly pipeline: Pipeline,
    private readonly abandoned: AbandonedClaims,
    private readonly personal: PersonalMessageMaker,
  ) {}

  /**
   * @param limit recipients at most
   * @param fromPosition where to begin looking
   * @param leaseMs how long they are held without a sign of life
   */
  async claim(plan: DispatchPlan, limit: number, fromPosition: number, leaseMs: number): Promise<ClaimedBatch> {
    const { campaign, phone } = plan;
    const at = now();
    const id = newRecordId();
    const leaseUntil = new Date(at.getTime() + leaseMs + plan.probeMs);
    const claim = claimRecipients(
      {
        accountId: phone.accountId,
        campaignId: campaign.id,
        businessPhoneId: phone.id,
        templateName: campaign.templateName,
        content: plan.content,
        batchId: id,
        messageIds: Array.from({ length: limit }, () => newRecordId()),
        fromPosition,
        starts: campaign.startedAt === null,
        at,
        leaseUntil,
        settleAt: new Date(Math.max(leaseUntil.getTime(), at.getTime() + this.environment.unknownOutcomeHorizonMs)),
      },
      this.pipeline.autocommit,
    );
    const rows = await claim.catch((error: unknown) => {
      if (isPassing(error) && !isContention(error)) this.abandoned.giveBack(plan, id);
      throw error;
    });
    const personal = await this.personal.make(plan, rows, at).catch((error: unknown) => {
      this.abandoned.giveBack(plan, id);
      throw error;
    });
    return {
      id,
      lastPosition: rows.reduce((last, { position }) => Math.max(last, position), -1),
      claimed: rows.map((row) => ({
        message: {
          ...untouchedMessage({
            accountId: phone.accountId,
            messageId: row.messageId,
            contactId: row.contactId,
            contact: { phoneNumber: row.phoneNumber, userId: row.userId },
            contactName: fullName(row.firstName, row.lastName),
            businessPhoneId: phone.id,
          }),
          campaignId: campaign.id,
          campaignName: campaign.name,
        },
        personal: personal.get(row.messageId) ?? null,
        attempts: row.attempts,
        firstAttemptAt: row.firstAttemptAt,
        optedIn: row.optedIn,
        deleted: row.deleted,
      })),
    };
  }
}
