import { Injectable } from '@nestjs/common';
import { setStanding } from '../accounts/business-phone.queries.js';
import { STANDARD_THROUGHPUT } from '../accounts/business-phone-registry.service.js';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { messagingLimit, UPGRADED_THROUGHPUT } from '../accounts/phone-facts.js';
import { raiseThroughput, setMessagingLimit } from '../accounts/phone-facts.queries.js';
import { setConsent } from '../contacts/consent.queries.js';
import { findByIdentity } from '../contacts/identity/contact-identity.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noticeTime, phoneNumberIdOf, preferencesOf, standingOf, upgradedPhoneOf } from './account-notice.js';
import type { JsonObject, OtherItem } from './callback.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/**
 * Applies the network's notices about phones, business accounts and consent, and records all others as unhandled.
 * Notices may arrive in any order; one that is older than the stored state changes nothing.
 */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
  ) {}

  /** Applies one notice. A notice that neither changes nor confirms anything is recorded as unhandled. */
  async receive(item: OtherItem): Promise<void> {
    if (await this.apply(item)) return;
    const { wabaId, field, value } = item;
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    const reason = field === null ? 'no field' : `nothing to do about this ${field}`;
    await recordUnhandled([{ accountId, field, reason, body: value }], this.unitOfWork.autocommit);
  }

  /** @returns whether the notice changed or confirmed something */
  private async apply({ wabaId, field, sentAt, value }: OtherItem): Promise<boolean> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const notice = value as JsonObject;
    if (field === 'user_preferences') return this.applyPreferences(notice);
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    if (accountId === null || wabaId === null) return false;
    const tx = this.unitOfWork.writes(accountId);
    if (field === 'account_update') {
      const standing = standingOf(notice);
      if (standing === null) return false;
      return (await setStanding(accountId, wabaId, { ...standing, toldAt: noticeTime(sentAt) }, tx)) > 0;
    }
    if (field === 'business_capability_update') {
      const limit = messagingLimit(notice['max_daily_conversations_per_business']);
      if (limit === null) return false;
      return (await setMessagingLimit(accountId, wabaId, { limit, toldAt: noticeTime(sentAt) }, tx)) > 0;
    }
    if (field === 'phone_number_quality_update') {
      const phone = upgradedPhoneOf(notice);
      if (phone === null) return false;
      const raised = { from: STANDARD_THROUGHPUT, to: UPGRADED_THROUGHPUT };
      return (await raiseThroughput(accountId, wabaId, phone, raised, tx)) > 0;
    }
    return false;
  }

  private async applyPreferences(notice: JsonObject): Promise<boolean> {
    const phoneNumberId = phoneNumberIdOf(notice);
    const phone = phoneNumberId === null ? null : await this.phones.findByPhoneNumberId(phoneNumberId);
    const preferences = preferencesOf(notice);
    if (phone === null || preferences.length === 0) return false;
    let applied = 0;
    for (const { phoneNumber, userId, optedIn, at } of preferences) {
      const known = await findByIdentity(phone.accountId, phoneNumber, userId, this.unitOfWork.writes(phone.accountId));
      const contact = known.ofNumber ?? known.ofUser;
      if (contact === null) continue;
      await setConsent(phone.accountId, [contact.id], { optedIn, at }, this.unitOfWork.writes(phone.accountId));
      applied += 1;
    }
    return applied === preferences.length;
  }
}
