import { Injectable } from '@nestjs/common';
import { Pipeline } from '../../database/connections/pipeline.js';
import { MediaProbe } from '../../egress/media-probe.js';
import { DomainError } from '../../errors/domain-error.js';
import { AbandonedClaimsService } from './abandoned-claims.service.js';
import type { DispatchPlan } from './dispatch-plan.js';
import { type PersonalFault, type PersonalMessage, personalMessage, valueFault } from './personal-body.js';
import { storePersonalContents } from './personal-message.queries.js';
import type { ClaimedBatch } from './recipient-claims.service.js';

/** Personal messages by message id; recipients who get the shared message are not included. */
export type PersonalMessages = ReadonlyMap<string, PersonalMessage | PersonalFault>;

const NONE: PersonalMessages = new Map();

/** Makes the per-recipient messages of a claimed batch before any of it is sent. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly probe: MediaProbe,
    private readonly abandoned: AbandonedClaimsService,
  ) {}

  /**
   * Renders the template for each recipient, stores the resulting text, and checks recipients' own media. On failure
   * the recipients are given back: nothing has been sent yet.
   */
  async make(plan: DispatchPlan, batch: ClaimedBatch): Promise<PersonalMessages> {
    try {
      return await this.makeAll(plan, batch);
    } catch (error) {
      this.abandoned.giveBack(plan, batch.id);
      throw error;
    }
  }

  private async makeAll(plan: DispatchPlan, { rows, at }: ClaimedBatch): Promise<PersonalMessages> {
    const made = rows.flatMap((row) => {
      const message = personalMessage(plan.personal, row);
      return message === null ? [] : [{ row, message }];
    });
    if (made.length === 0) return NONE;
    const contents = made.flatMap(({ row: { messageId, contactId }, message }) =>
      'fault' in message ? [] : [{ messageId, contactId, content: message.content }],
    );
    const { accountId, id } = plan.phone;
    if (contents.length > 0) await storePersonalContents(accountId, id, contents, at, this.pipeline.autocommit);
    return new Map(
      await Promise.all(made.map(async ({ row, message }) => [row.messageId, await this.withMedia(message)] as const)),
    );
  }

  private async withMedia(message: PersonalMessage | PersonalFault): Promise<PersonalMessage | PersonalFault> {
    if ('fault' in message || message.media === null) return message;
    try {
      await this.probe.probe(message.media.url, message.media.kind);
      return message;
    } catch (error) {
      if (error instanceof DomainError) return valueFault(error.message);
      throw error;
    }
  }
}
