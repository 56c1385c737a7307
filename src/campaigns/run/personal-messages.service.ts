import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { findOpenWindows } from '../../conversations/conversation-key.queries.js';
import { SecretBox, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { documentNameFor } from '../../egress/file-name.js';
import { MediaProbe } from '../../egress/media-probe.js';
import { DomainError } from '../../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { hadOwnCode, openPersonal } from '../authoring/one-time-codes.js';
import { refusalsOf } from '../planning/admission-rules.js';
import { NEVER } from '../planning/campaign-opening.queries.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';
import { AbandonedClaimsService } from './abandoned-claims.service.js';
import {
  type PersonalFault,
  type PersonalHold,
  type PersonalMessage,
  personalMessage,
  valueFault,
} from './personal-body.js';
import { findOptedOut, storePersonalContents } from './personal-message.queries.js';
import type { ClaimedRow } from './recipient-claim.queries.js';
import type { ClaimedGroup } from './recipient-claims.service.js';

/** What is special about recipients, by message id; those who simply get the shared message are not included. */
export type PersonalMessages = ReadonlyMap<string, PersonalMessage | PersonalFault | PersonalHold>;

interface MadeMessage {
  readonly row: ClaimedRow;
  readonly message: PersonalMessage | PersonalFault;
}

const NONE: PersonalMessages = new Map();
const OPTED_OUT: PersonalFault = { fault: MESSAGE_ERRORS.optedOut };

/** Makes the per-recipient messages of a claimed group before any of it is sent. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly probe: MediaProbe,
    private readonly abandoned: AbandonedClaimsService,
    private readonly secrets: SecretBox,
    private readonly phones: BusinessPhonesService,
  ) {}

  /**
   * Renders the template for each recipient, stores the resulting text, and checks recipients' own media. On failure
   * the recipients are given back: nothing has been sent yet.
   */
  async make(plan: CampaignPlan, group: ClaimedGroup): Promise<PersonalMessages> {
    try {
      const held = await this.held(plan, group);
      return held.size === 0
        ? await this.makeAll(plan, group)
        : new Map([...(await this.makeAll(plan, group)), ...held]);
    } catch (error) {
      this.abandoned.giveBack(plan, group.id);
      throw error;
    }
  }

  /** Recipients whom a restriction refuses. It may have been imposed after they, and even the campaign, were planned. */
  private async held(
    { phone: { accountId, id }, template }: CampaignPlan,
    { messages }: ClaimedGroup,
  ): Promise<PersonalMessages> {
    const phone = await this.phones.find(accountId, id);
    const { inWindows, outside } = refusalsOf(phone?.restrictions ?? [], template.category);
    if (outside === null) return NONE;
    const contactIds = messages.map(({ message }) => message.contactId);
    const hasOpenWindow = await findOpenWindows(accountId, id, contactIds, this.pipeline.autocommit);
    return new Map(
      messages.flatMap(({ message: { messageId, contactId } }) => {
        const restriction = hasOpenWindow.has(contactId) ? inWindows : outside;
        return restriction === null ? [] : [[messageId, { heldUntil: restriction.until ?? NEVER }]];
      }),
    );
  }

  private async makeAll(plan: CampaignPlan, { messages, at }: ClaimedGroup): Promise<PersonalMessages> {
    const made = messages.flatMap(({ recipient: row }) => {
      const message = this.messageOf(plan, row);
      return message === null ? [] : [{ row, message }];
    });
    if (made.length === 0) return NONE;
    const contents = made.flatMap(({ row: { messageId, contactId }, message }) =>
      'fault' in message ? [] : [{ messageId, contactId, content: message.content }],
    );
    const { accountId, id } = plan.phone;
    if (contents.length > 0) await storePersonalContents(accountId, id, contents, at, this.pipeline.autocommit);
    const ready = new Map(
      await Promise.all(made.map(async (each) => [each.row.messageId, await this.withMedia(plan, each)] as const)),
    );
    const isLate = made.some(({ message }) => !('fault' in message) && message.media !== null);
    return plan.marketing && isLate
      ? this.withoutOptedOut(
          accountId,
          messages.map(({ recipient }) => recipient),
          ready,
        )
      : ready;
  }

  /** Refuses recipients who have opted out since they were claimed: fetching files may have taken seconds. */
  private async withoutOptedOut(
    accountId: string,
    rows: readonly ClaimedRow[],
    ready: PersonalMessages,
  ): Promise<PersonalMessages> {
    const contactIds = rows.map(({ contactId }) => contactId);
    const optedOut = await findOptedOut(accountId, contactIds, this.pipeline.autocommit);
    const refused = rows.filter(({ contactId }) => optedOut.has(contactId));
    return new Map([...ready, ...refused.map(({ messageId }) => [messageId, OPTED_OUT] as const)]);
  }

  /**
   * A code that cannot be decrypted costs only its recipient; a missing key has stopped the campaign before. A code may be
   * gone if a worker put its recipient back after its lease had expired.
   */
  private messageOf(
    plan: CampaignPlan,
    row: ClaimedRow,
    documentName: string | null = null,
  ): PersonalMessage | PersonalFault | null {
    const { campaign } = plan;
    const hadCode = campaign.content.code !== undefined && hadOwnCode(row.personal);
    if (hadCode && row.code === null) return valueFault('The one-time code of the contact is no longer stored.');
    try {
      const personal = openPersonal(campaign.accountId, campaign.id, row, this.secrets);
      return personalMessage(plan, { ...row, personal }, documentName);
    } catch (error) {
      if (error instanceof UnreadableSecret) return valueFault('The one-time code of the contact cannot be decrypted.');
      throw error;
    }
  }

  private async withMedia(plan: CampaignPlan, { row, message }: MadeMessage): Promise<PersonalMessage | PersonalFault> {
    if ('fault' in message || message.media === null) return message;
    const { url, kind, isNameless } = message.media;
    try {
      const { mimeType } = await this.probe.probe(url, kind);
      return (isNameless ? this.messageOf(plan, row, documentNameFor(mimeType)) : null) ?? message;
    } catch (error) {
      if (error instanceof DomainError) return valueFault(error.message);
      throw error;
    }
  }
}
