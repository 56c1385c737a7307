import { Injectable } from '@nestjs/common';
import { ConfigurationCache, ConfigurationChanges } from '../database/configuration-changes.js';
import type { SealedColumn } from '../database/secrets/sealed-column.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { badRequest, forbidden } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import {
  findAccessToken,
  findAccountOfPhoneNumberId,
  findAccountOfWaba,
  findBusinessPhones,
  type ListedPhone,
} from './business-phone.queries.js';
import { type Restriction, refusesSome } from './restrictions.js';

/** A phone number that the account sends from. */
export interface BusinessPhone {
  readonly accountId: string;
  /** The record id, `waba_phone_id` on the wire. */
  readonly id: string;
  /** The network's id of the business account. */
  readonly wabaId: string;
  /** The network's id of the phone. */
  readonly phoneNumberId: string;
  /** The number itself. */
  readonly phone: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput: number;
  /** True for exactly one phone per account. */
  readonly isPrimary: boolean;
  /** GREEN, YELLOW, RED or UNKNOWN; null until the network reports it. */
  readonly quality: string | null;
  /** People the portfolio may message per 24 hours, -1 = unlimited; null while unknown. */
  readonly messagingLimit: number | null;
  /** The app that gets its callbacks; null is the one in the environment. */
  readonly appId: string | null;
  /** What the network restricted when this was read, the strictest first. */
  readonly restrictions: readonly Restriction[];
}

/** Where a phone's encrypted token is stored. */
export const tokenPlace = (accountId: string, phoneId: string) => ({
  accountId,
  rowId: phoneId,
  column: 'business_phones.access_token',
});

/** The column of all encrypted tokens. */
export const TOKEN_COLUMN: SealedColumn = {
  table: 'business_phones',
  column: 'access_token',
  key: [['id', 'uuid']],
  place: (accountId, [phoneId = '']) => tokenPlace(accountId, phoneId),
};

/**
 * Finds business phones and their tokens, cached until the configuration changes. A phone that looks missing or
 * restricted is read again before a request is refused.
 */
@Injectable()
export class BusinessPhonesService {
  private readonly ofAccount: ConfigurationCache<readonly ListedPhone[]>;
  private readonly accountOfNumberId: ConfigurationCache<string | null>;
  private readonly accountOfBusiness: ConfigurationCache<string | null>;
  /** Decrypted; kept in memory only. */
  private readonly tokens: ConfigurationCache<string>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    changes: ConfigurationChanges,
  ) {
    this.ofAccount = new ConfigurationCache(changes);
    this.accountOfNumberId = new ConfigurationCache(changes);
    this.accountOfBusiness = new ConfigurationCache(changes);
    this.tokens = new ConfigurationCache(changes);
  }

  /** All phones of the account, primary first. */
  async list(accountId: string): Promise<readonly BusinessPhone[]> {
    return asOfNow(await this.ofAccount.get(accountId, () => this.load(accountId)));
  }

  /** One phone of the account by record id, or null: another account's phone does not exist. */
  async find(accountId: string, phoneId: string): Promise<BusinessPhone | null> {
    return this.pick(accountId, (phones) => phones.find(({ id }) => id === phoneId), isUnusable);
  }

  /** As {@link find}, and as it is now, after a change. */
  async findCurrent(accountId: string, phoneId: string): Promise<BusinessPhone | null> {
    const phones = await this.ofAccount.getCurrent(accountId, () => this.load(accountId));
    return asOfNow(phones).find(({ id }) => id === phoneId) ?? null;
  }

  /**
   * The requested phone, or the primary one when none is requested.
   *
   * @throws DomainError 403 `forbidden` when the phone belongs to another account, 400 when the account has no phone
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
    return this.pick(accountId, ([first]) => first, isUnusable);
  }

  /** The phone with this network id, or null when no account has it. */
  async findByPhoneNumberId(phoneNumberId: string): Promise<BusinessPhone | null> {
    const accountId = await this.accountOfNumberId.getUnless(
      phoneNumberId,
      () => findAccountOfPhoneNumberId(phoneNumberId, this.unitOfWork.control),
      isUnowned,
    );
    if (accountId === null) return null;
    const isNamed = (phone: BusinessPhone) => phone.phoneNumberId === phoneNumberId;
    return this.pick(accountId, (phones) => phones.find(isNamed), isMissing);
  }

  /** The account that owns this business account, or null. */
  findAccountOfWaba(wabaId: string): Promise<string | null> {
    return this.accountOfBusiness.getUnless(
      wabaId,
      () => findAccountOfWaba(wabaId, this.unitOfWork.control),
      isUnowned,
    );
  }

  /**
   * The phone's decrypted access token. Never log it or put it in a job.
   *
   * @throws UnreadableSecret (503), or DomainError 403 `forbidden` when the phone is gone
   */
  async token({ accountId, id }: BusinessPhone): Promise<string> {
    return this.tokens.get(id, async () => {
      const sealed = await findAccessToken(accountId, id, this.unitOfWork.control);
      if (sealed === null) throw forbidden(`no access to business phone ${id}`);
      return this.secrets.open(sealed, tokenPlace(accountId, id));
    });
  }

  /** One of the account's phones. Reads them again first when the cached choice is `doubtful`. */
  private async pick(
    accountId: string,
    choose: (phones: readonly BusinessPhone[]) => BusinessPhone | undefined,
    doubtful: (chosen: BusinessPhone | undefined) => boolean,
  ): Promise<BusinessPhone | null> {
    const phones = await this.ofAccount.getUnless(
      accountId,
      () => this.load(accountId),
      (known) => doubtful(choose(asOfNow(known))),
    );
    return choose(asOfNow(phones)) ?? null;
  }

  private load(accountId: string): Promise<readonly ListedPhone[]> {
    return findBusinessPhones(accountId, this.unitOfWork.control);
  }
}

const isUnowned = (accountId: string | null): boolean => accountId === null;
const isMissing = (phone: BusinessPhone | undefined): boolean => phone === undefined;
const isUnusable = (phone: BusinessPhone | undefined): boolean =>
  phone === undefined || refusesSome(phone.restrictions);

/** Leaves out restrictions that have expired since the phones were read. An expiry does not advance the epoch. */
function asOfNow(phones: readonly ListedPhone[]): readonly BusinessPhone[] {
  const at = now();
  const isOver = ({ until }: Restriction): boolean => until !== null && until <= at;
  return phones.some(({ restrictions }) => restrictions.some(isOver))
    ? phones.map((phone) => ({ ...phone, restrictions: phone.restrictions.filter((each) => !isOver(each)) }))
    : phones;
}
