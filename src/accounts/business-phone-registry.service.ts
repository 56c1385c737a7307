import { Injectable } from '@nestjs/common';
import { SecretBox } from '../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchAccount, noSuchPhone } from './account.errors.js';
import { lockAccount } from './account.queries.js';
import {
  clearPrimaryFlag,
  ensureBusinessAccount,
  findAccountOfPhone,
  insertBusinessPhone,
  lockPhones,
  updateBusinessPhone,
} from './business-phone.queries.js';
import { tokenPlace } from './business-phones.service.js';

/** Default throughput of a phone, messages per second. */
export const STANDARD_THROUGHPUT = 80;
/** Default token of a phone. The simulator accepts any. */
const SANDBOX_TOKEN = 'sandbox';

export interface NewBusinessPhone {
  readonly accountId: RecordId;
  /** The network's ids of the phone and of its business account. */
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The number itself, digits. */
  readonly phone: PhoneNumber;
  /** The network's access token in plain text; stored encrypted. */
  readonly token?: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput?: number;
  /** Whether it becomes the account's primary phone. If no phone is flagged, the oldest is primary. */
  readonly primary?: boolean;
}

/** Changes to a phone. Absent fields stay unchanged. */
export type PhoneSettings = Pick<NewBusinessPhone, 'token' | 'throughput' | 'primary'>;

/** Adds and changes business phones. Constraints tie each phone and business account to a single account. */
@Injectable()
export class BusinessPhoneRegistryService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * @returns the record id, `waba_phone_id` on the wire
   * @throws DomainError `not_found` for an unknown account, `conflict` when the phone is already registered or the
   * business account belongs to another account
   */
  add(phone: NewBusinessPhone, tx?: Tx): Promise<RecordId> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.addWithin(phone, own))
      : this.addWithin(phone, tx);
  }

  /**
   * Changes the given settings, within a second in every process. Sends already under way still use the old token.
   */
  change(accountId: RecordId, phoneId: RecordId, settings: PhoneSettings, tx?: Tx): Promise<void> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.changeWithin(accountId, phoneId, settings, own))
      : this.changeWithin(accountId, phoneId, settings, tx);
  }

  /**
   * The phone's account, for operators, who identify a phone by its id alone.
   *
   * @throws DomainError `not_found`
   */
  async accountOf(phoneId: RecordId): Promise<RecordId> {
    const accountId = await findAccountOfPhone(phoneId, this.unitOfWork.autocommit);
    if (accountId === null) throw noSuchPhone(phoneId);
    return accountId;
  }

  private async changeWithin(
    accountId: RecordId,
    phoneId: RecordId,
    { token, throughput, primary }: PhoneSettings,
    tx: Tx,
  ): Promise<void> {
    await lockAccount(accountId, tx);
    // Before the first change, which locks the configuration epoch: nobody may wait for a phone while holding that.
    await lockPhones(accountId, tx);
    if (primary) await clearPrimaryFlag(accountId, tx);
    const changes = {
      ...(token !== undefined && { accessToken: this.secrets.seal(token, tokenPlace(accountId, phoneId)) }),
      ...(throughput !== undefined && { throughput }),
      ...(primary && { isPrimary: true }),
    };
    await updateBusinessPhone(accountId, phoneId, changes, tx);
  }

  private async addWithin(phone: NewBusinessPhone, tx: Tx): Promise<RecordId> {
    const { accountId, wabaId, phoneNumberId, primary = false } = phone;
    const id = newRecordId();
    if (!(await lockAccount(accountId, tx))) throw noSuchAccount(accountId);
    await lockPhones(accountId, tx);
    await ensureBusinessAccount(accountId, wabaId, tx);
    if (primary) await clearPrimaryFlag(accountId, tx);
    await insertBusinessPhone(
      accountId,
      {
        id,
        wabaId,
        phoneNumberId,
        phone: phone.phone,
        throughput: phone.throughput ?? STANDARD_THROUGHPUT,
        isPrimary: primary,
        accessToken: this.secrets.seal(phone.token ?? SANDBOX_TOKEN, tokenPlace(accountId, id)),
      },
      tx,
    );
    return id;
  }
}
