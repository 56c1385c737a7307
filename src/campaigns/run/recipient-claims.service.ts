import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { MicroBatch, NotStarted } from '../../database/batching/micro-batch.js';
import { isContention, isTransient } from '../../database/connections/transient-errors.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { type ReportedMessage, untouchedMessage } from '../../messages/outcomes/message-report.js';
import { fullName } from '../../people/contact-name.js';
import { now } from '../../values/clock.js';
import { NIL_ID, newRecordId } from '../../values/record-id.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import { AbandonedClaimsService } from './abandoned-claims.service.js';
import { type ClaimedRow, claimRecipients } from './recipient-claim.queries.js';

/** A claimed recipient, with the committed message that is about to be sent to it. */
export interface ClaimedMessage {
  readonly recipient: ClaimedRow;
  /** As stored, before any outcome. */
  readonly message: ReportedMessage;
}

/** Recipients claimed together: one row in flight. */
export interface ClaimedGroup {
  /** The id of its row in flight. */
  readonly id: string;
  readonly at: Date;
  /** In sending order. */
  readonly messages: readonly ClaimedMessage[];
  /** The highest position claimed; -1 when nothing was. */
  readonly lastPosition: number;
}

/** Recipients claimed by one statement. */
const MAX_CLAIM_SIZE = 400;

/** How long claims whose slots are further away than that are gathered, milliseconds. */
const GATHER_MS = 30;

interface Claim {
  readonly plan: CampaignPlan;
  readonly groupId: string;
  readonly messageIds: readonly string[];
  /** First position to look at. */
  readonly fromPosition: number;
  readonly isProbe: boolean;
}

interface ClaimOptions {
  /** Whether the recipients are needed too soon to gather claims. */
  readonly isHurried?: boolean;
  /** Whether the phone waits, and this tries it. */
  readonly isProbe?: boolean;
}

/**
 * Claims recipients: claim, messages, conversations and batch in flight commit together before anything is sent.
 * Concurrent claims share a statement, across campaigns and accounts.
 */
@Injectable()
export class RecipientClaimsService {
  private readonly hurried = this.claimsOf('claims', 0);
  private readonly gathered = this.claimsOf('paced claims', GATHER_MS);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly pipeline: Pipeline,
    private readonly abandoned: AbandonedClaimsService,
  ) {}

  /**
   * @param limit maximum number of recipients
   */
  async claim(
    plan: CampaignPlan,
    limit: number,
    { isHurried = false, isProbe = false, ...how }: Pick<Claim, 'fromPosition'> & ClaimOptions,
  ): Promise<ClaimedGroup> {
    const groupId = newRecordId();
    const messageIds = Array.from({ length: limit }, () => newRecordId());
    try {
      const claims = isHurried ? this.hurried : this.gathered;
      return await claims.run({ plan, groupId, messageIds, isProbe, ...how });
    } catch (error) {
      const mayBeStored = isTransient(error) && !isContention(error) && !(error instanceof NotStarted);
      if (mayBeStored) this.abandoned.giveBack(plan, groupId);
      throw error;
    }
  }

  /** Prepares the statement that claims recipients on a connection. Claims nobody. */
  async warmUp(): Promise<void> {
    const nobody = {
      accountId: NIL_ID,
      campaignId: NIL_ID,
      businessPhoneId: NIL_ID,
      templateName: '',
      content: '',
      groupId: NIL_ID,
      messageIds: [NIL_ID],
      fromPosition: 0,
      starts: false,
      isProbe: false,
    };
    const at = now();
    await claimRecipients([nobody], { at, leaseUntil: at, settleAt: at }, this.pipeline.autocommit);
  }

  private claimsOf(name: string, gatherMs: number): MicroBatch<Claim, ClaimedGroup> {
    return new MicroBatch((claims) => this.claimAll(claims), {
      name,
      maxItems: MAX_CLAIM_SIZE,
      weigh: ({ messageIds }) => messageIds.length,
      concurrency: 1,
      gatherMs,
      tenantOf: ({ plan }) => plan.phone.accountId,
    });
  }

  private async claimAll(claims: readonly Claim[]): Promise<ClaimedGroup[]> {
    const at = now();
    const leaseUntil = new Date(at.getTime() + this.leaseMs + Math.max(...claims.map(({ plan }) => plan.probeMs)));
    const settleAt = new Date(Math.max(leaseUntil.getTime(), at.getTime() + this.environment.unknownOutcomeHorizonMs));
    const rows = await claimRecipients(
      claims.map(({ plan: { campaign, phone, rendered }, ...claim }) => ({
        accountId: phone.accountId,
        campaignId: campaign.id,
        businessPhoneId: phone.id,
        templateName: campaign.templateName,
        content: rendered.content,
        starts: campaign.startedAt === null,
        ...claim,
      })),
      { at, leaseUntil, settleAt },
      this.pipeline.autocommit,
    );
    const rowsOf = new Map<string, ClaimedRow[]>(claims.map(({ groupId }) => [groupId, []]));
    for (const row of rows) rowsOf.get(row.groupId)?.push(row);
    return claims.map(({ plan, groupId }) => {
      const claimed = (rowsOf.get(groupId) ?? []).sort((a, b) => a.position - b.position);
      return {
        id: groupId,
        at,
        messages: claimed.map((recipient) => ({ recipient, message: messageOf(plan, recipient) })),
        lastPosition: claimed.at(-1)?.position ?? -1,
      };
    });
  }

  /** How long a claim is its worker's, milliseconds: longer than a slot and a response usually take. */
  private get leaseMs(): number {
    return Math.max(this.environment.leaseMs, this.environment.network.timeoutMs + LEASE_MARGIN_MS);
  }
}

const LEASE_MARGIN_MS = 3000;

const messageOf = ({ campaign, phone }: CampaignPlan, row: ClaimedRow): ReportedMessage =>
  untouchedMessage(
    {
      accountId: phone.accountId,
      messageId: row.messageId,
      contactId: row.contactId,
      contact: { phoneNumber: row.phoneNumber, userId: row.userId },
      waId: row.waId,
      contactName: fullName(row),
      businessPhoneId: phone.id,
      reference: row.personal?.reference ?? null,
    },
    campaign,
  );
