import { DAY, SECOND } from '../../src/values/clock.js';
import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import { ControlError } from '../control/control-error.js';
import { isText, type JsonObject } from '../json-object.js';
import type { PhoneRegistry } from '../phone-registry.js';
import type { TemplateReview } from '../templates/template-review.js';
import type { TemplateStore } from '../templates/template-store.js';
import type { AccountRestrictions } from './account-restrictions.js';
import { isRestrictionType, kindOf, RESTRICTION_KINDS, type Restriction } from './restriction-kinds.js';

interface Parts {
  restrictions: AccountRestrictions;
  phones: PhoneRegistry;
  callbacks: PendingCallbacks;
  templates: TemplateStore;
  review: TemplateReview;
}

/** Restricts business accounts as a test says, and notifies the business as the network does. */
export class RestrictionControl {
  constructor(private readonly parts: Parts) {}

  /**
   * Carries out the body of `POST /_sim/restrictions`.
   * @returns the restrictions of the account, and `callback_status` if the business was notified
   */
  async change(input: JsonObject): Promise<JsonObject> {
    const { lift = false, notify = true } = input;
    for (const [name, value] of Object.entries({ lift, notify })) {
      if (typeof value !== 'boolean') throw new ControlError(`${name} must be true or false`);
    }
    const restriction = this.restrictionIn(input);
    const { waba_id, type } = restriction;
    const { restrictions } = this.parts;
    const news = lift ? kindOf(type).lifted : kindOf(type).imposed(restriction);
    if (lift) await restrictions.lift(restriction);
    else await restrictions.impose(restriction);
    if (!lift && type === 'RESTRICTED_UTILITY_TEMPLATES') await this.refile(waba_id, notify === true);
    const active = restrictions.ofAccount(waba_id).map(({ waba_id: _, ...shown }) => shown);
    if (!notify || news === undefined) return { waba_id, restrictions: active };
    const { answered } = await this.parts.callbacks.post({ waba_id, field: 'account_update', value: news });
    return { waba_id, restrictions: active, callback_status: await answered };
  }

  private restrictionIn({ waba_id, type, expiration, limit = 0 }: JsonObject): Restriction {
    const account = waba_id ?? this.parts.phones.first()?.waba_id;
    if (!isText(account) || !this.parts.phones.hasAccount(account)) {
      throw new ControlError(`waba_id: no phone of the account ${String(account)} is registered`);
    }
    if (!isRestrictionType(type)) {
      throw new ControlError(`type must be one of ${Object.keys(RESTRICTION_KINDS).join(', ')}`);
    }
    if (expiration !== undefined && expiration !== null && !Number.isSafeInteger(expiration)) {
      throw new ControlError('expiration must be unix seconds, or null');
    }
    if (!Number.isInteger(limit) || (limit as number) < 0) throw new ControlError('limit must be a whole number');
    const { days } = kindOf(type);
    const usual = days === undefined ? null : Math.floor((Date.now() + days * DAY) / SECOND);
    const ends = expiration === undefined ? usual : (expiration as number | null);
    return { waba_id: account, type, expiration: ends, limit: limit as number };
  }

  /** Makes all UTILITY templates of the account MARKETING ones. */
  private async refile(wabaId: string, notify: boolean): Promise<void> {
    for (const { id, category } of this.parts.templates.ofAccount(wabaId)) {
      if (category === 'UTILITY') await this.parts.review.decide(id, 'category', { category: 'MARKETING' }, notify);
    }
  }
}
