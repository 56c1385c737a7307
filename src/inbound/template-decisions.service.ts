import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import { TemplateReviewService } from '../templates/review/template-review.service.js';
import type { TemplateItem } from './callback.js';
import { templateNoticeOf } from './template-notice.js';

/** Applies the network's decisions about templates: on their status and on their category. */
@Injectable()
export class TemplateDecisionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly review: TemplateReviewService,
  ) {}

  /** Applies one notice. One that we cannot read, or about an unknown template, is recorded as unhandled. */
  async apply(item: TemplateItem): Promise<void> {
    const accountId = await this.phones.findAccountOfWaba(item.wabaId);
    const notice = templateNoticeOf(item);
    if (accountId !== null && notice !== null && (await this.review.applyNotice(accountId, notice))) return;
    const reason = notice === null ? `nothing to do about this ${item.field}` : 'no such template';
    await recordUnhandled([{ accountId, field: item.field, reason, body: item.value }], this.unitOfWork.autocommit);
  }
}
