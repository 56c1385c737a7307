import { Injectable } from '@nestjs/common';
import { SecretBox } from '../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchAccount, noSuchPhone } from './account.errors.js';
import { lockAccount } from './account.queries.js';
import {
  clearPrimaryFlag,
  ensureBusinessAccount,
  findAccountOfPhone,
  findBusinessPhones,
  findPhoneToReconnect,
  insertBusinessPhone,
  lockPhones,
  markPhoneRemoved,
  releaseBusinessAccounts,
  updateBusinessPhone,
} from './business-phone.queries.js';
import { tokenPlace } from './business-phones.service.js';
import { STANDARD_THROUGHPUT, throughputFor } from './phone-facts.js';

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

/** A phone that the network was asked about. */
export interface ConnectedPhone
  extends Pick<NewBusinessPhone, 'accountId' | 'phoneNumberId' | 'wabaId' | 'phone'>,
    Required<Pick<NewBusinessPhone, 'token'>> {
  /** The app that gets its callbacks; null is the one in the environment. */
  readonly appId: string | null;
  /** Whether the number is also in the WhatsApp Business app; null if the network does not say. */
  readonly isCoexisting: boolean | null;
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
   * Stores a phone that was connected: a new one, or the one that it replaces. A number that the account has or had keeps
   * its record, and with it its conversations.
   *
   * @param id the phone whose ids are corrected; null for a phone that is found by its number id
   * @returns the record id
   * @throws DomainError as {@link add}, and `not_found` for an unknown `id`
   */
  async connect(phone: ConnectedPhone, id: RecordId | null, tx: Tx): Promise<RecordId> {
    const { accountId, wabaId, phoneNumberId, token, appId, isCoexisting } = phone;
    if (!(await lockAccount(accountId, tx))) throw noSuchAccount(accountId);
    await lockPhones(accountId, tx);
    const earlier = id === null ? await findPhoneToReconnect(accountId, phoneNumberId, tx) : null;
    const known = id === null ? earlier : (await findBusinessPhones(accountId, tx)).find((each) => each.id === id);
    if (id !== null && known === undefined) throw noSuchPhone(id);
    await ensureBusinessAccount(accountId, wabaId, tx);
    const phoneId = known?.id ?? newRecordId();
    const accessToken = this.secrets.seal(token, tokenPlace(accountId, phoneId));
    const throughput = throughputFor(known?.throughput ?? STANDARD_THROUGHPUT, { isCoexisting });
    const stored = { wabaId, phoneNumberId, phone: phone.phone, accessToken, appId, throughput };
    const back = earlier?.removedAt ? { removedAt: null, createdAt: now() } : {};
    if (known) await updateBusinessPhone(accountId, phoneId, { ...stored, ...back }, tx);
    else await insertBusinessPhone(accountId, { ...stored, id: phoneId, isPrimary: false }, tx);
    await releaseBusinessAccounts(accountId, tx);
    return phoneId;
  }

  /**
   * Removes a phone: nothing can be sent from it any more, and its ids are free. What was sent and received stays.
   *
   * @throws DomainError `not_found`
   */
  async remove(accountId: RecordId, phoneId: RecordId, tx: Tx): Promise<void> {
    await lockAccount(accountId, tx);
    await lockPhones(accountId, tx);
    const forgotten = this.secrets.seal('', tokenPlace(accountId, phoneId));
    if (!(await markPhoneRemoved(accountId, phoneId, forgotten, tx))) throw noSuchPhone(phoneId);
    await releaseBusinessAccounts(accountId, tx);
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
        appId: null,
        accessToken: this.secrets.seal(phone.token ?? SANDBOX_TOKEN, tokenPlace(accountId, id)),
      },
      tx,
    );
    return id;
  }
}
