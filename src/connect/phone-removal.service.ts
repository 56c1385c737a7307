import { Injectable } from '@nestjs/common';
import { BusinessPhoneRegistryService } from '../accounts/business-phone-registry.service.js';
import { AuditLog } from '../audit/audit-log.js';
import { findUsersOfPhone } from '../campaigns/planning/campaign-source.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { phoneInUse } from './connect.errors.js';

/** Campaigns that a refusal names. */
const MAX_NAMED = 5;

/** Removes business phones that no campaign needs. */
@Injectable()
export class PhoneRemovalService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: BusinessPhoneRegistryService,
  ) {}

  /** @throws DomainError `not_found`, `conflict` while campaigns of the phone run or are scheduled */
  async remove(accountId: RecordId, phoneId: RecordId): Promise<void> {
    await this.unitOfWork.transaction(async (tx) => {
      // First, because it locks the account's phones: campaigns that are created meanwhile wait for it.
      await this.registry.remove(accountId, phoneId, tx);
      const users = await findUsersOfPhone(accountId, phoneId, MAX_NAMED, tx);
      if (users.length > 0)
        throw phoneInUse(
          phoneId,
          users.map(({ name }) => name),
        );
      await AuditLog.write(accountId, { action: 'business_phone.removed', subjectId: phoneId }, tx);
    });
  }
}
