import { Injectable } from '@nestjs/common';
import { fullName } from '../../contacts/contact-name.js';
import { csvLine } from '../../contacts/files/csv-line.js';
import { csvPieces } from '../../contacts/files/csv-pieces.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Page, Paged } from '../../values/page.js';
import { CampaignsService } from '../campaigns.service.js';
import { errorOf } from './recipient-errors.js';
import { listRecipients, type RecipientRow, type RecipientStatus, recipientsAfter } from './recipient-list.queries.js';

/** CSV columns. */
const EXPORTED = ['contact_phone', 'contact_name', 'status', 'error_code', 'error_message', 'message_id'] as const;

/** Reads a campaign's recipients and their statuses. */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly campaigns: CampaignsService,
  ) {}

  /**
   * A page of recipients in sending order; `createdAt` is when they were created.
   *
   * @param status null: any
   * @throws DomainError 404
   */
  async list(
    accountId: string,
    campaignId: string,
    status: RecipientStatus | null,
    page: Page,
  ): Promise<Paged<RecipientRow> & { readonly createdAt: Date }> {
    const { createdAt } = await this.campaigns.get(accountId, campaignId);
    const recipients = await listRecipients(accountId, campaignId, status, page, this.unitOfWork.reads(accountId));
    return { ...recipients, createdAt };
  }

  /** All recipients as CSV, streamed in chunks. @throws DomainError 404 */
  async export(accountId: string, campaignId: string): Promise<AsyncGenerator<string>> {
    await this.campaigns.get(accountId, campaignId);
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
