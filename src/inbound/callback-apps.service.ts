import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { type AppKeys, NetworkAppsService } from '../accounts/network-apps.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError, forbidden, notFound } from '../errors/domain-error.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import { equalSecrets } from '../values/equal-secrets.js';
import { isObject, text } from '../values/network-json.js';
import { businessOf, phoneNumberIdOf } from './account-notice.js';
import type { CallbackItem } from './callback.js';
import { signatureMatches } from './callback-signature.js';

/** Knows which app a callback is from, and keeps each app away from the phones of the others. */
@Injectable()
export class CallbackAppsService {
  constructor(
    private readonly apps: NetworkAppsService,
    private readonly phones: BusinessPhonesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Checks the verify token with which the network confirms the callback URL of an app.
   *
   * @param appId Meta's id; null for the app in the environment
   * @throws DomainError `not_found` for an unknown app, `forbidden` for another token
   */
  async confirm(appId: string | null, mode: unknown, token: unknown): Promise<void> {
    const { verifyToken } = await this.require(appId);
    if (mode !== 'subscribe' || !equalSecrets(String(token ?? ''), verifyToken)) {
      throw forbidden('the verify token does not match');
    }
  }

  /**
   * The app that has signed a callback.
   *
   * @throws DomainError `not_found` for an unknown app, `unauthorized` for a wrong signature
   */
  async verify(appId: string | null, bytes: Buffer, signature: string | undefined): Promise<AppKeys> {
    const app = await this.require(appId);
    if (signatureMatches(bytes, signature, app.appSecret)) return app;
    throw new DomainError('unauthorized', 'the X-Hub-Signature-256 of the callback does not match its body');
  }

  /** The items that the app may speak about. What it says about phones of other apps is only recorded, for nobody. */
  async own(items: readonly CallbackItem[], { storedId }: AppKeys): Promise<readonly CallbackItem[]> {
    const isOwn = await Promise.all(items.map((item) => this.isOwn(item, storedId)));
    const foreign = items.filter((_, index) => !isOwn[index]);
    if (foreign.length === 0) return items;
    await recordUnhandled(
      foreign.map((item) => ({
        accountId: null,
        field: 'field' in item ? item.field : 'messages',
        reason: `about a phone of another app than ${storedId ?? 'the one in the environment'}`,
        body: item,
      })),
      this.unitOfWork.autocommit,
    );
    return items.filter((_, index) => isOwn[index]);
  }

  private async require(appId: string | null): Promise<AppKeys> {
    const app = await this.apps.find(appId);
    if (app === null) throw notFound(`there is no app ${appId}`);
    return app;
  }

  /** Whether everything that an item names belongs to the app, or to nobody: then it has no effect anyway. */
  private async isOwn(item: CallbackItem, app: string | null): Promise<boolean> {
    if ('phoneNumberId' in item) return this.ownsPhone(item.phoneNumberId, app);
    const value = isObject(item.value) ? item.value : {};
    const phoneNumberId = phoneNumberIdOf(value);
    if (phoneNumberId !== null && !(await this.ownsPhone(phoneNumberId, app))) return false;
    const number = text(value['display_phone_number'])?.replace(/\D/g, '') ?? null;
    const businesses = new Set([item.wabaId, businessOf(value, item.wabaId)]);
    for (const wabaId of businesses) {
      if (wabaId !== null && !(await this.ownsBusiness(wabaId, number, app))) return false;
    }
    return true;
  }

  private async ownsPhone(phoneNumberId: string, app: string | null): Promise<boolean> {
    const phone = await this.phones.findByPhoneNumberId(phoneNumberId);
    return phone === null || phone.appId === app;
  }

  /** @param number a phone of the business that a notice is about; null for the business itself */
  private async ownsBusiness(wabaId: string, number: string | null, app: string | null): Promise<boolean> {
    const accountId = await this.phones.findAccountOfWaba(wabaId);
    if (accountId === null) return true;
    const phones = (await this.phones.list(accountId)).filter((phone) => phone.wabaId === wabaId);
    const named = phones.filter((each) => each.phone === number);
    const meant = named.length > 0 ? named : phones;
    return meant.length === 0 || meant.some(({ appId }) => appId === app);
  }
}
