import { Injectable } from '@nestjs/common';
import { setQuality, setRestriction } from '../accounts/business-phone.queries.js';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { setConsent } from '../contacts/consent.queries.js';
import { findByIdentity } from '../contacts/contact-identity.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { phoneNumberIdOf, preferencesOf, qualityOf, restrictionOf } from './account-notice.js';
import type { JsonObject, OtherItem } from './callback.js';
import { recordUnhandled } from './inbound.queries.js';

/** Heeds what the network says about phones, businesses and consent outside of messages, and records the rest (D21, D68, D70). */
@Injectable()
export class AccountNotices {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
  ) {}

  /** Heeds one notice; one that changes and confirms nothing is recorded. */
  async take(item: OtherItem): Promise<void> {
    if (await this.heed(item)) return;
    const { wabaId, field, value } = item;
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    const reason = field === null ? 'no field' : `nothing to do about this ${field}`;
    await recordUnhandled([{ accountId, field, reason, body: value }], this.unitOfWork.autocommit);
  }

  /** @returns whether the notice changed or confirmed something */
  private async heed({ wabaId, field, value }: OtherItem): Promise<boolean> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const notice = value as JsonObject;
    if (field === 'user_preferences') return this.heedPreferences(notice);
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    if (accountId === null || wabaId === null) return false;
    if (field === 'account_update') {
      const restriction = restrictionOf(notice);
      if (restriction === undefined) return false;
      return (await setRestriction(accountId, wabaId, restriction, this.unitOfWork.autocommit)) > 0;
    }
    if (field === 'phone_number_quality_update') {
      const update = qualityOf(notice);
      if (update === null) return false;
      return (await setQuality(accountId, wabaId, update.phone, update.quality, this.unitOfWork.autocommit)) > 0;
    }
    return false;
  }

  private async heedPreferences(notice: JsonObject): Promise<boolean> {
    const phoneNumberId = phoneNumberIdOf(notice);
    const phone = phoneNumberId === null ? null : await this.phones.findByPhoneNumberId(phoneNumberId);
    const preferences = preferencesOf(notice);
    if (phone === null || preferences.length === 0) return false;
    let heeded = 0;
    for (const { phoneNumber, networkUserId, optedIn, at } of preferences) {
      const contact = await findByIdentity(phone.accountId, phoneNumber, networkUserId, this.unitOfWork.autocommit);
      if (contact === null) continue;
      await setConsent(phone.accountId, [contact.id], { optedIn, at }, this.unitOfWork.autocommit);
      heeded += 1;
    }
    return heeded === preferences.length;
  }
}
