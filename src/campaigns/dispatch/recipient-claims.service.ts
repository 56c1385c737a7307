import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { fullName } from '../../contacts/contact-name.js';
import { MicroBatch, NotStarted } from '../../database/batching/micro-batch.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { isContention, isTransient } from '../../database/connections/transient-errors.js';
import { type ReportedMessage, untouchedMessage } from '../../messages/reports/message-report.js';
import { now } from '../../values/clock.js';
import { newRecordId } from '../../values/record-id.js';
import { AbandonedClaimsService } from './abandoned-claims.service.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { type ClaimedRow, claimRecipients } from './recipient-claim.queries.js';
import type { Attempt } from './send-verdict.js';

/** A claimed recipient, with the committed message that is about to be sent to it. */
export interface ClaimedMessage extends Attempt {
  /** As stored, before any outcome. */
  readonly message: ReportedMessage;
  readonly optedIn: boolean;
  readonly deleted: boolean;
}

/** Recipients claimed together: one batch in flight. */
export interface ClaimedBatch {
  readonly id: string;
  readonly at: Date;
  /** The stored rows, in the order of {@link claimed}. */
  readonly rows: readonly ClaimedRow[];
  readonly claimed: readonly ClaimedMessage[];
  /** The highest position claimed; -1 when nothing was. */
  readonly lastPosition: number;
}

/** Recipients claimed by one statement. */
const MAX_CLAIM_SIZE = 400;

/**
 * How long claims for phones with a throughput limit are gathered, milliseconds. Their slots are further away than
 * that.
 */
const GATHER_MS = 30;

interface Claim {
  readonly plan: DispatchPlan;
  readonly batchId: string;
  readonly messageIds: readonly string[];
  readonly fromPosition: number;
}

/**
 * Claims recipients: claim, messages, conversations and batch in flight commit together before anything is sent.
 * Concurrent claims share a statement, across campaigns and accounts.
 */
@Injectable()
export class RecipientClaimsService {
  private readonly claims = this.claimsOf('claims', 0);
  private readonly pacedClaims = this.claimsOf('paced claims', GATHER_MS);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly pipeline: Pipeline,
    private readonly abandoned: AbandonedClaimsService,
  ) {}

  /**
   * @param limit maximum number of recipients
   * @param fromPosition first position to look at
   */
  async claim(plan: DispatchPlan, limit: number, fromPosition: number): Promise<ClaimedBatch> {
    const batchId = newRecordId();
    const messageIds = Array.from({ length: limit }, () => newRecordId());
    try {
      const claims = plan.phone.throughput === 0 ? this.claims : this.pacedClaims;
      return await claims.run({ plan, batchId, messageIds, fromPosition });
    } catch (error) {
      const mayBeStored = isTransient(error) && !isContention(error) && !(error instanceof NotStarted);
      if (mayBeStored) this.abandoned.giveBack(plan, batchId);
      throw error;
    }
  }

  private claimsOf(name: string, gatherMs: number): MicroBatch<Claim, ClaimedBatch> {
    return new MicroBatch((claims) => this.claimAll(claims), {
      name,
      maxItems: MAX_CLAIM_SIZE,
      weigh: ({ messageIds }) => messageIds.length,
      concurrency: 1,
      gatherMs,
      tenantOf: ({ plan }) => plan.phone.accountId,
    });
  }

  private async claimAll(claims: readonly Claim[]): Promise<ClaimedBatch[]> {
    const at = now();
    const leaseUntil = new Date(at.getTime() + this.leaseMs + Math.max(...claims.map(({ plan }) => plan.probeMs)));
    const settleAt = new Date(Math.max(leaseUntil.getTime(), at.getTime() + this.environment.unknownOutcomeHorizonMs));
    const rows = await claimRecipients(
      claims.map(({ plan: { campaign, phone, content }, ...claim }) => ({
        accountId: phone.accountId,
        campaignId: campaign.id,
        businessPhoneId: phone.id,
        templateName: campaign.templateName,
        content,
        starts: campaign.startedAt === null,
        ...claim,
      })),
      { at, leaseUntil, settleAt },
      this.pipeline.autocommit,
    );
    const rowsOf = new Map<string, ClaimedRow[]>(claims.map(({ batchId }) => [batchId, []]));
    for (const row of rows) rowsOf.get(row.batchId)?.push(row);
    return claims.map(({ plan, batchId }) => {
      const claimed = (rowsOf.get(batchId) ?? []).sort((a, b) => a.position - b.position);
      return {
        id: batchId,
        at,
        rows: claimed,
        lastPosition: claimed.at(-1)?.position ?? -1,
        claimed: claimed.map((row) => claimedMessage(plan, row)),
      };
    });
  }

  /** A lease outlasts the longest wait for a slot and a response, milliseconds. */
  private get leaseMs(): number {
    return Math.max(this.environment.leaseMs, this.environment.network.timeoutMs + LEASE_MARGIN_MS);
  }
}

const LEASE_MARGIN_MS = 3000;

const claimedMessage = ({ campaign, phone }: DispatchPlan, row: ClaimedRow): ClaimedMessage => ({
  message: {
    ...untouchedMessage({
      accountId: phone.accountId,
      messageId: row.messageId,
      contactId: row.contactId,
      contact: { phoneNumber: row.phoneNumber, userId: row.userId },
      contactName: fullName(row),
      businessPhoneId: phone.id,
    }),
    campaignId: campaign.id,
    campaignName: campaign.name,
  },
  attempts: row.attempts,
  firstAttemptAt: row.firstAttemptAt,
  optedIn: row.optedIn,
  deleted: row.deleted,
});
