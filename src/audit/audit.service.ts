import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { type AuditFilter, findAuditEntries } from './audit-entry.queries.js';

/** Reads the audit log of an account. */
@Injectable()
export class AuditService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lists entries, newest first. */
  list(accountId: string, filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> {
    return findAuditEntries(accountId, filter, page, this.unitOfWork.reads(accountId));
  }
}
