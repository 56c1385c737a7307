import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { Page, Paged } from '../values/page.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { type AuditFilter, findAuditEntries } from './audit-entry.queries.js';

/** Reads the audit log of an account. */
@Injectable()
export class AuditService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Lists entries, newest first.
   *
   * @throws DomainError `bad_request` when `since` is after `until`
   */
  async list(accountId: string, filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> {
    const { since, until } = filter;
    if (since !== undefined && until !== undefined && since > until) {
      throw badRequest(`since must not be after until (got ${since.toISOString()} and ${until.toISOString()})`);
    }
    return findAuditEntries(accountId, filter, page, this.unitOfWork.reads(accountId));
  }
}
