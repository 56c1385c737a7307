import { Injectable } from '@nestjs/common';
import { setRestrictions } from '../accounts/business-phone.queries.js';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { messagingLimit, STANDARD_THROUGHPUT, UPGRADED_THROUGHPUT } from '../accounts/phone-facts.js';
import { raiseThroughput, setMessagingLimit } from '../accounts/phone-facts.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import type { JsonObject } from '../values/network-json.js';
import { businessOf, noticeTime, restrictionNewsOf, upgradedPhoneOf } from './account-notice.js';
import type { OtherItem } from './callback.js';
import { MarketingPreferencesService } from './marketing-preferences.service.js';

/**
 * Applies the network's notices about phones, business accounts and consent, and records all others as unhandled.
 * Notices may arrive in any order; one that is older than the stored state changes nothing.
 */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly preferences: MarketingPreferencesService,
  ) {}

  /**
   * Applies one notice. A notice that neither changes nor confirms anything is recorded as unhandled.
   *
   * @param callbackId the request id of its callback
   */
  async receive(item: OtherItem, callbackId: string): Promise<void> {
    if (await this.apply(item, callbackId)) return;
    const { wabaId, field, value } = item;
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    const reason = field === null ? 'no field' : `nothing to do about this ${field}`;
    await recordUnhandled([{ accountId, field, reason, body: value }], this.unitOfWork.autocommit);
  }

  /** @returns whether the notice changed or confirmed something */
  private async apply({ wabaId: envelopeId, field, sentAt, value }: OtherItem, callbackId: string): Promise<boolean> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const notice = value as JsonObject;
    if (field === 'user_preferences') return this.preferences.apply(notice, callbackId);
    const wabaId = businessOf(notice, envelopeId);
    const accountId = wabaId === null ? null : await this.phones.findAccountOfWaba(wabaId);
    if (accountId === null || wabaId === null) return false;
    const tx = this.unitOfWork.writes(accountId);
    if (field === 'account_update') {
      const news = restrictionNewsOf(notice);
      return news !== null && (await setRestrictions(accountId, wabaId, news, noticeTime(sentAt), tx)) > 0;
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
}
