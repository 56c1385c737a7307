import { Injectable } from '@nestjs/common';
import { ConfigurationCache, ConfigurationEpoch } from '../database/configuration-epoch.js';
import { SecretBox } from '../database/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { badRequest, forbidden } from '../errors/domain-error.js';
import {
  type BusinessPhoneRow,
  findAccountOfPhoneNumberId,
  findAccountOfWaba,
  findBusinessPhones,
} from './business-phone.queries.js';

/** A number that the account sends from. */
export interface BusinessPhone {
  readonly accountId: string;
  /** The record id, `waba_phone_id` on the wire (D42). */
  readonly id: string;
  /** The network's id of the business account. */
  readonly wabaId: string;
  /** The network's id of the phone. */
  readonly phoneNumberId: string;
  /** The number itself. */
  readonly phone: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput: number;
  /** Of exactly one phone of each account (D53). */
  readonly isPrimary: boolean;
  readonly quality: string | null;
  /** Why the network keeps the business from sending, or null (D68). */
  readonly restriction: string | null;
}

/** Where a phone's token is sealed (D39). */
export const tokenPlace = (accountId: string, phoneId: string) => ({
  accountId,
  rowId: phoneId,
  column: 'business_phones.access_token',
});

/** Finds business phones and their tokens; what it knows holds until the configuration changes. */
@Injectable()
export class BusinessPhones {
  private readonly ofAccount: ConfigurationCache<readonly BusinessPhoneRow[]>;
  private readonly accountOfNumberId: ConfigurationCache<string | null>;
  private readonly accountOfBusiness: ConfigurationCache<string | null>;
  /** In the clear, in memory alone. */
  private readonly tokens: ConfigurationCache<string>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    epoch: ConfigurationEpoch,
  ) {
    this.ofAccount = new ConfigurationCache(epoch);
    this.accountOfNumberId = new ConfigurationCache(epoch);
    this.accountOfBusiness = new ConfigurationCache(epoch);
    this.tokens = new ConfigurationCache(epoch);
  }

  /** All phones of the account, primary first. */
  async list(accountId: string): Promise<BusinessPhone[]> {
    return (await this.rows(accountId)).map(phoneOf);
  }

  /** One phone of the account by record id, or null: another account's phone does not exist. */
  async find(accountId: string, phoneId: string): Promise<BusinessPhone | null> {
    const row = (await this.rows(accountId)).find(({ id }) => id === phoneId);
    return row === undefined ? null : phoneOf(row);
  }

  /**
   * The phone that a request names, or the primary one when it names none.
   *
   * @throws DomainError 403 `forbidden` when the phone is not the account's (D47), 400 when the account has no phone
   */
  async choose(accountId: string, phoneId: string | null): Promise<BusinessPhone> {
    if (phoneId !== null) {
      const named = await this.find(accountId, phoneId);
      if (named === null) throw forbidden(`no access to business phone ${phoneId}`);
      return named;
    }
    const primary = await this.primary(accountId);
    if (primary === null) throw badRequest('no business number is configured for the account');
    return primary;
  }

  /** The account's primary phone, or null when it has none. */
  async primary(accountId: string): Promise<BusinessPhone | null> {
    const [row] = await this.rows(accountId);
    return row === undefined ? null : phoneOf(row);
  }

  /** The phone that a callback names by the network's id, or null when it is nobody's. */
  async findByPhoneNumberId(phoneNumberId: string): Promise<BusinessPhone | null> {
    const accountId = await this.accountOfNumberId.get(phoneNumberId, () =>
      findAccountOfPhoneNumberId(phoneNumberId, this.unitOfWork.autocommit),
    );
    if (accountId === null) return null;
    const row = (await this.rows(accountId)).find((phone) => phone.phone_number_id === phoneNumberId);
    return row === undefined ? null : phoneOf(row);
  }

  /** The account that a business account of the network belongs to, or null. */
  findAccountOfWaba(wabaId: string): Promise<string | null> {
    return this.accountOfBusiness.get(wabaId, () => findAccountOfWaba(wabaId, this.unitOfWork.autocommit));
  }

  /** The phone's access token, in the clear. Never logged, never put in a job. */
  async token(phone: BusinessPhone): Promise<string> {
    return this.tokens.get(phone.id, async () => {
      const row = (await this.rows(phone.accountId)).find(({ id }) => id === phone.id);
      if (row === undefined) throw new Error(`business phone ${phone.id} is gone`);
      return this.secrets.open(row.access_token, tokenPlace(phone.accountId, phone.id));
    });
  }

  private rows(accountId: string): Promise<readonly BusinessPhoneRow[]> {
    return this.ofAccount.get(accountId, () => findBusinessPhones(accountId, this.unitOfWork.autocommit));
  }
}

const phoneOf = (row: BusinessPhoneRow): BusinessPhone => ({
  accountId: row.account_id,
  id: row.id,
  wabaId: row.waba_id,
  phoneNumberId: row.phone_number_id,
  phone: row.phone,
  throughput: row.throughput,
  isPrimary: row.is_primary,
  quality: row.quality,
  restriction: row.restriction,
});
