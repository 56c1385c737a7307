import { Injectable } from '@nestjs/common';
import { csvLine } from '../../contacts/files/csv-line.js';
import { csvPieces } from '../../contacts/files/csv-pieces.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { fullName } from '../../people/contact-name.js';
import { now } from '../../values/clock.js';
import type { Page } from '../../values/page.js';
import type { Campaign } from '../campaign.entity.js';
import { requireCampaign } from '../campaign.queries.js';
import { countFailures } from '../control/recipient-control.queries.js';
import { type Progress, progressOf } from './campaign-progress.queries.js';
import { type ExplainedFailures, errorOf, explained } from './recipient-errors.js';
import type { RecipientFilter } from './recipient-filter.js';
import { listRecipients, type RecipientPage, type RecipientRow, recipientsAfter } from './recipient-list.queries.js';

/** CSV columns. */
const EXPORTED = ['contact_phone', 'contact_name', 'status', 'error_code', 'error_message', 'message_id'] as const;

/** Reads a campaign's recipients and their statuses, and how fast it was sent. */
@Injectable()
export class RecipientsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * A page of recipients, with their campaign.
   *
   * @throws DomainError 404
   */
  async list(
    accountId: string,
    campaignId: string,
    filter: RecipientFilter,
    page: Page,
  ): Promise<RecipientPage & { readonly campaign: Campaign }> {
    const campaign = await requireCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    const recipients = await listRecipients(accountId, campaignId, filter, page, this.unitOfWork.reads(accountId));
    return { ...recipients, campaign };
  }

  /** Why recipients failed, the most frequent reason first. @throws DomainError 404 */
  async failures(accountId: string, campaignId: string): Promise<ExplainedFailures[]> {
    const campaign = await requireCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    const failures = await countFailures(accountId, campaignId, this.unitOfWork.reads(accountId));
    const at = now();
    return failures.map((failure) => explained(failure, campaign.content, at));
  }

  /** How many of its messages the network accepted, and when. @throws DomainError 404 */
  async progress(accountId: string, campaignId: string): Promise<Progress> {
    const campaign = await requireCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    return progressOf(accountId, campaign, this.unitOfWork.reads(accountId));
  }

  /** All recipients as CSV, streamed in chunks. @throws DomainError 404 */
  async export(accountId: string, campaignId: string): Promise<AsyncGenerator<string>> {
    await requireCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    const reads = this.unitOfWork.reads(accountId);
    return csvPieces<RecipientRow>({
      header: csvLine(EXPORTED),
      lineOf,
      read: (last, limit) => recipientsAfter(accountId, campaignId, last?.position ?? -1, limit, reads),
    });
  }
}

function lineOf(row: RecipientRow): string {
  const error = errorOf(row);
  return csvLine([
    row.contactPhone,
    fullName(row),
    row.status,
    error === null ? null : String(error.code),
    error?.message ?? null,
    row.messageId,
  ]);
}
