import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { TemplateReviewService } from '../templates/review/template-review.service.js';
import { storableText } from '../values/storable-text.js';
import { noticeTime } from './account-notice.js';
import type { TemplateItem } from './callback.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/** Applies the network's review decisions to templates. */
@Injectable()
export class TemplateDecisionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly review: TemplateReviewService,
  ) {}

  /** Applies one decision. A decision about an unknown template is recorded as unhandled. */
  async apply({ wabaId, sentAt, value }: TemplateItem): Promise<void> {
    const accountId = await this.phones.findAccountOfWaba(wabaId);
    const { message_template_id: id, event, reason } = value;
    const known =
      accountId !== null &&
      (typeof id === 'string' || typeof id === 'number') &&
      typeof event === 'string' &&
      (await this.review.applyStatusUpdate(accountId, {
        metaTemplateId: storableText(String(id)),
        event: storableText(event),
        reason: typeof reason === 'string' ? storableText(reason) : null,
        toldAt: sentAt === null ? null : noticeTime(sentAt),
      }));
    if (!known) {
      await recordUnhandled(
        [{ accountId, field: 'message_template_status_update', reason: 'no such template', body: value }],
        this.unitOfWork.autocommit,
      );
    }
  }
}
