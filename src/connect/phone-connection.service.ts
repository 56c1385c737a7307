import { Inject, Injectable } from '@nestjs/common';
import { phoneNumberIdTaken } from '../accounts/account.errors.js';
import { BusinessPhoneRegistryService, type ConnectedPhone } from '../accounts/business-phone-registry.service.js';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { type AppKeys, NetworkAppsService } from '../accounts/network-apps.service.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { RecordId } from '../values/record-id.js';
import { readNumber } from '../values/written-number.js';
import { type Check, isConnected } from './check.js';
import { noPhone } from './connect.errors.js';
import { checksOf, isAccessProven } from './connect-checks.js';
import { MetaReaderService, type Named } from './meta-reader.service.js';
import type { Reading, Readings, TrafficFacts } from './readings.js';

/** A phone to connect. */
export interface PhoneToConnect {
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The access token, or the code of Embedded Signup that is exchanged for one. */
  readonly credential: { readonly token: string } | { readonly code: string };
  /** Meta's id of the app; null for the one in the environment. */
  readonly appId: string | null;
  /** Registers the number with this PIN; null to leave the registration as it is. */
  readonly pin: string | null;
}

/** What the checks came to, and the phone if it is connected. */
export interface ConnectionOutcome {
  readonly checks: readonly Check[];
  /** The record id; null when nothing was stored. */
  readonly phoneId: RecordId | null;
}

/** Connects business phones: proves whose they are, registers and subscribes, and stores only what works. */
@Injectable()
export class PhoneConnectionService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: BusinessPhoneRegistryService,
    private readonly phones: BusinessPhonesService,
    private readonly apps: NetworkAppsService,
    private readonly meta: MetaReaderService,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'publicUrl'>,
  ) {}

  /**
   * Connects a phone, or connects it again with another token or app. If this dies, the same call does it again.
   *
   * @throws DomainError `bad_request` for an unknown app, `conflict` when the phone or its business account is another
   * account's
   */
  async connect(accountId: RecordId, phone: PhoneToConnect): Promise<ConnectionOutcome> {
    const app = await this.apps.require(phone.appId);
    await this.requireFree(accountId, phone.phoneNumberId);
    const { credential, phoneNumberId, wabaId } = phone;
    const token: Reading<string> =
      'token' in credential
        ? { kind: 'read', value: credential.token }
        : await this.meta.exchange(app, credential.code);
    if (token.kind !== 'read') return { checks: checksOf(this.unread(app, phone, token)), phoneId: null };
    return this.settle(accountId, { app, token: token.value, phoneNumberId, wabaId }, phone.pin, null);
  }

  /**
   * Corrects the ids of a phone, after the same checks.
   *
   * @param ids and the token if it is replaced too; what is absent stays
   *
   * @throws DomainError as {@link connect}, and `not_found`
   */
  async change(
    accountId: RecordId,
    phoneId: RecordId,
    ids: { readonly phoneNumberId?: string; readonly wabaId?: string; readonly token?: string },
  ): Promise<ConnectionOutcome> {
    const { named, phone } = await this.named(accountId, phoneId);
    if (ids.phoneNumberId !== undefined && ids.phoneNumberId !== phone.phoneNumberId) {
      await this.requireFree(accountId, ids.phoneNumberId);
    }
    const { phoneNumberId = named.phoneNumberId, wabaId = named.wabaId, token = named.token } = ids;
    return this.settle(accountId, { ...named, phoneNumberId, wabaId, token }, null, phoneId);
  }

  /**
   * Checks a stored phone, without changing anything.
   *
   * @throws DomainError `not_found`, UnreadableSecret (503)
   */
  async check(accountId: RecordId, phoneId: RecordId, traffic: TrafficFacts): Promise<readonly Check[]> {
    const { named } = await this.named(accountId, phoneId);
    return checksOf(this.readings(named, await this.meta.read(named), null, traffic));
  }

  private async named(accountId: RecordId, phoneId: RecordId) {
    const phone = await this.phones.findCurrent(accountId, phoneId);
    if (phone === null) throw noPhone(phoneId);
    const app = await this.apps.require(phone.appId);
    const { phoneNumberId, wabaId } = phone;
    return { phone, named: { app, token: await this.phones.token(phone), phoneNumberId, wabaId } };
  }

  private async settle(
    accountId: RecordId,
    named: Named,
    pin: string | null,
    id: RecordId | null,
  ): Promise<ConnectionOutcome> {
    const readings = await this.afterChanges(named, pin);
    const checks = checksOf(readings);
    const number = readings.phone.kind === 'read' ? readNumber(readings.phone.value.number ?? '') : null;
    const phone = number?.number ?? number?.ifKnown ?? null;
    if (!isConnected(checks) || readings.phone.kind !== 'read' || phone === null) return { checks, phoneId: null };
    const { phoneNumberId, wabaId, token, app } = named;
    const connected: ConnectedPhone = {
      accountId,
      phoneNumberId,
      wabaId,
      phone,
      token,
      appId: app.storedId,
      isCoexisting: readings.phone.value.isCoexisting,
    };
    const phoneId = await this.unitOfWork.transaction(async (tx) => {
      const stored = await this.registry.connect(connected, id, tx);
      const changes = { phone_number_id: phoneNumberId, waba_id: wabaId, app_id: app.appId, token: 'set' };
      const action = id === null ? 'business_phone.connected' : 'business_phone.changed';
      await AuditLog.write(accountId, { action, subjectId: stored, changes }, tx);
      if (id === null) await noteRecordOfKey(stored, tx);
      return stored;
    });
    return { checks, phoneId };
  }

  /** Registers and subscribes once the access is proven, and reads again what that changes. */
  private async afterChanges(named: Named, pin: string | null): Promise<Readings> {
    const found = await this.meta.read(named);
    if (!isAccessProven(this.readings(named, found, null, null))) return this.readings(named, found, null, null);
    const isInApp = found.phone.kind === 'read' && found.phone.value.isOnBizApp;
    const registered = pin === null || isInApp ? null : await this.meta.register(named, pin);
    const isSubscribed = found.subscribers.kind === 'read' && found.subscribers.value.includes(named.app.appId);
    const subscribed = isSubscribed ? null : await this.meta.subscribe(named);
    const phone = registered === null ? found.phone : await this.meta.phone(named.phoneNumberId, named.token);
    const subscribers =
      subscribed === null ? found.subscribers : await this.meta.subscribers(named.wabaId, named.token);
    return this.readings(named, { ...found, phone, subscribers }, registered, null);
  }

  private readings(
    { app, phoneNumberId, wabaId }: Pick<Named, 'app' | 'phoneNumberId' | 'wabaId'>,
    found: Pick<Readings, 'token' | 'numberIds' | 'phone' | 'subscribers' | 'subscription'>,
    registered: Readings['registered'],
    traffic: TrafficFacts | null,
  ): Readings {
    return {
      ...found,
      app: { appId: app.appId, name: app.storedId === null ? 'environment' : 'added' },
      phoneNumberId,
      wabaId,
      callbackUrl: callbackUrlOf(this.environment.publicUrl, app),
      registered,
      traffic,
    };
  }

  /** What is known when the code of Embedded Signup could not be exchanged. */
  private unread(app: AppKeys, phone: PhoneToConnect, refusal: Exclude<Reading<string>, { kind: 'read' }>): Readings {
    const nothing = { kind: 'unread', reason: 'the code could not be exchanged for a token' } as const;
    const found = { token: refusal, numberIds: nothing, phone: nothing, subscribers: nothing, subscription: nothing };
    return this.readings({ app, ...phone }, found, null, null);
  }

  /** Before Meta is asked to change anything: the constraint decides when the phone is stored. */
  private async requireFree(accountId: RecordId, phoneNumberId: string): Promise<void> {
    const owner = await this.phones.findByPhoneNumberId(phoneNumberId);
    if (owner !== null && owner.accountId !== accountId) throw phoneNumberIdTaken(phoneNumberId);
  }
}

/** Where Meta must send an app's callbacks; null while our address is not known. */
export const callbackUrlOf = (publicUrl: string | null, { storedId }: Pick<AppKeys, 'storedId'>): string | null =>
  publicUrl === null ? null : `${publicUrl}/network/callbacks${storedId === null ? '' : `/${storedId}`}`;
