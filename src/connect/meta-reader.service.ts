import { Injectable } from '@nestjs/common';
import type { AppKeys } from '../accounts/network-apps.service.js';
import { MessagingNetwork, type NetworkCall } from '../network/network.js';
import { NetworkRefusal } from '../network/network-error.js';
import { SECOND } from '../values/clock.js';
import { readNumberIds, readPhone, readSubscribers, readSubscription, readToken } from './meta-answers.js';
import type { PhoneState, Reading, Readings } from './readings.js';

/** How long each question may take, milliseconds. Questions that do not depend on each other are asked at once. */
const TIMEOUT_MS = 5 * SECOND;
const FIELDS = [
  'display_phone_number',
  'verified_name',
  'name_status',
  'status',
  'quality_rating',
  'throughput',
  'platform_type',
  'is_on_biz_app',
  'whatsapp_business_manager_messaging_limit',
  'webhook_configuration',
  'health_status',
].join();
const MAX_NUMBERS = 200;

/** Whose phone is asked about, and with which token. */
export interface Named {
  readonly app: AppKeys;
  readonly token: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
}

/** What can be read of Meta's side. */
export type MetaReadings = Pick<Readings, 'token' | 'numberIds' | 'phone' | 'subscribers' | 'subscription'>;

/**
 * Asks Meta about apps, tokens and phones, and registers and subscribes. Nothing throws: what has no answer is a reading
 * that says why. Tokens, PINs and codes appear in no reading.
 */
@Injectable()
export class MetaReaderService {
  constructor(private readonly network: MessagingNetwork) {}

  async read({ app, token, phoneNumberId, wabaId }: Named): Promise<MetaReadings> {
    const asApp = `${app.appId}|${app.appSecret}`;
    const get = <Value>(path: string, as: string, read: (answer: unknown) => Value) =>
      this.ask({ method: 'GET', path, token: as }, read);
    const [tokenFacts, subscription, numberIds, phone, subscribers] = await Promise.all([
      get(`/debug_token?input_token=${encodeURIComponent(token)}`, asApp, readToken),
      get(`/${app.appId}/subscriptions`, asApp, readSubscription),
      get(`/${wabaId}/phone_numbers?fields=id&limit=${MAX_NUMBERS}`, token, readNumberIds),
      this.phone(phoneNumberId, token),
      this.subscribers(wabaId, token),
    ]);
    return { token: tokenFacts, subscription, numberIds, phone, subscribers };
  }

  phone(phoneNumberId: string, token: string): Promise<Reading<PhoneState>> {
    return this.ask({ method: 'GET', path: `/${phoneNumberId}?fields=${FIELDS}`, token }, readPhone);
  }

  subscribers(wabaId: string, token: string): Promise<Reading<readonly string[]>> {
    return this.ask({ method: 'GET', path: `/${wabaId}/subscribed_apps`, token }, readSubscribers);
  }

  register({ phoneNumberId, token }: Named, pin: string): Promise<Reading<true>> {
    const body = { messaging_product: 'whatsapp', pin };
    return this.ask(
      { method: 'POST', path: `/${phoneNumberId}/register`, token, body, timeoutMs: 2 * TIMEOUT_MS },
      () => true,
    );
  }

  subscribe({ wabaId, token }: Named): Promise<Reading<true>> {
    return this.ask({ method: 'POST', path: `/${wabaId}/subscribed_apps`, token }, () => true);
  }

  /** Exchanges a code of Embedded Signup for its token: only once, and within 30 seconds of the sign-up. */
  exchange(app: AppKeys, code: string): Promise<Reading<string>> {
    const query = new URLSearchParams({ client_id: app.appId, client_secret: app.appSecret, code });
    return this.ask({ method: 'GET', path: `/oauth/access_token?${query}`, token: null }, (answer) => {
      const { access_token } = (answer ?? {}) as { access_token?: unknown };
      if (typeof access_token !== 'string') throw new Error('the answer has no token');
      return access_token;
    });
  }

  private async ask<Value>(call: NetworkCall, read: (answer: unknown) => Value): Promise<Reading<Value>> {
    try {
      return { kind: 'read', value: read(await this.network.call<unknown>({ timeoutMs: TIMEOUT_MS, ...call })) };
    } catch (error) {
      if (error instanceof NetworkRefusal) return { kind: 'refused', code: error.code, message: error.message };
      return { kind: 'unread', reason: (error as Error).message };
    }
  }
}
