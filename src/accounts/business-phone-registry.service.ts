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
  updateBusinessPhone,
} from './business-phone.queries.js';
import { tokenPlace } from './business-phones.service.js';

/** Messages per second of a phone that was given no throughput. */
export const STANDARD_THROUGHPUT = 80;
/** The token of a phone that was given none: the simulator takes any. */
const SANDBOX_TOKEN = 'sandbox';

export interface NewBusinessPhone {
  readonly accountId: RecordId;
  /** The network's ids of the phone and of its business account. */
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The number itself, digits. */
  readonly phone: PhoneNumber;
  /** The network's access token, in the clear; stored sealed. */
  readonly token?: string;
  /** Messages per second, 0 = no limit. */
  readonly throughput?: number;
  /** Whether it takes over as the account's primary phone; else the oldest is, while none is flagged. */
  readonly primary?: boolean;
}

/** What is to change of a phone; what is absent stays. */
export type PhoneSettings = Pick<NewBusinessPhone, 'token' | 'throughput' | 'primary'>;

/** Adds business phones to accounts and changes them. A phone and a business account belong to one account each, by constraint. */
@Injectable()
export class BusinessPhoneRegistryService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * @returns the record id, `waba_phone_id` on the wire
   * @throws DomainError `not_found` for an unknown account, `conflict` when the phone is registered or the business
   * account is another's
   */
  add(phone: NewBusinessPhone, tx?: Tx): Promise<RecordId> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.addWithin(phone, own))
      : this.addWithin(phone, tx);
  }

  /**
   * Changes what is given, within a second on every process. Whatever is being sent at this moment goes out with the old
   * token.
   *
   * @throws DomainError `not_found` for an unknown phone
   */
  async change(phoneId: RecordId, { token, throughput, primary }: PhoneSettings): Promise<void> {
    const accountId = await findAccountOfPhone(phoneId, this.unitOfWork.autocommit);
    if (accountId === null) throw noSuchPhone(phoneId);
    await this.unitOfWork.transaction(async (tx) => {
      await lockAccount(accountId, tx);
      if (primary) await clearPrimaryFlag(accountId, tx);
      const changes = {
        ...(token !== undefined && { accessToken: this.secrets.seal(token, tokenPlace(accountId, phoneId)) }),
        ...(throughput !== undefined && { throughput }),
        ...(primary && { isPrimary: true }),
      };
      await updateBusinessPhone(accountId, phoneId, changes, tx);
    });
  }

  private async addWithin(phone: NewBusinessPhone, tx: Tx): Promise<RecordId> {
    const { accountId, wabaId, phoneNumberId, primary = false } = phone;
    const id = newRecordId();
    if (!(await lockAccount(accountId, tx))) throw noSuchAccount(accountId);
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
