// Reads Meta's answers. Whatever is missing or of another type counts as not told.
import { coexistence } from '../accounts/phone-facts.js';
import { unixSeconds } from '../values/network-json.js';
import type { HealthFacts, PhoneState, SubscriptionFacts, TokenFacts } from './readings.js';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
const jsons = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const idOf = (value: unknown): string | null => (typeof value === 'number' ? String(value) : text(value));

/** `GET /debug_token`. */
export function readToken(answer: unknown): TokenFacts {
  const data = jsonOf(jsonOf(answer)['data']);
  const { expires_at: end } = data;
  const targets = jsons(data['granular_scopes'])
    .filter(({ scope }) => String(scope).startsWith('whatsapp_business_m'))
    .map(({ target_ids }) => (Array.isArray(target_ids) ? target_ids.flatMap((id) => idOf(id) ?? []) : null));
  return {
    appId: idOf(data['app_id']) ?? '',
    application: text(data['application']),
    type: text(data['type']) ?? 'unknown',
    isValid: data['is_valid'] === true,
    expiresAt: typeof end === 'number' && end > 0 ? new Date(end * 1000) : null,
    scopes: texts(data['scopes']),
    wabaIds: targets.length === 0 || targets.includes(null) ? null : targets.flatMap((ids) => ids ?? []),
    error: text(jsonOf(data['error'])['message']),
  };
}

/** `GET /{app_id}/subscriptions`. */
export function readSubscription(answer: unknown): SubscriptionFacts {
  const found = jsons(jsonOf(answer)['data']).find(({ object }) => object === 'whatsapp_business_account');
  const callbackUrl = text(found?.['callback_url']);
  if (found === undefined || callbackUrl === null || found['active'] === false) return null;
  return { callbackUrl, fields: jsons(found['fields']).flatMap(({ name }) => text(name) ?? []) };
}

/** `GET /{waba_id}/subscribed_apps`. */
export const readSubscribers = (answer: unknown): string[] =>
  jsons(jsonOf(answer)['data']).flatMap(({ whatsapp_business_api_data: app }) => idOf(jsonOf(app)['id']) ?? []);

/** `GET /{waba_id}/phone_numbers`. */
export const readNumberIds = (answer: unknown): string[] =>
  jsons(jsonOf(answer)['data']).flatMap(({ id }) => idOf(id) ?? []);

/** `GET /{phone_number_id}`. */
export function readPhone(answer: unknown): PhoneState {
  const phone = jsonOf(answer);
  const urls = jsonOf(phone['webhook_configuration']);
  return {
    number: text(phone['display_phone_number'])?.replace(/\D/g, '') ?? null,
    verifiedName: text(phone['verified_name']),
    nameStatus: text(phone['name_status']),
    status: text(phone['status']),
    quality: text(phone['quality_rating']),
    messagingLimit: idOf(phone['whatsapp_business_manager_messaging_limit']),
    throughputLevel: text(jsonOf(phone['throughput'])['level']),
    platformType: text(phone['platform_type']),
    isOnBizApp: phone['is_on_biz_app'] === true,
    isCoexisting: coexistence(phone['is_on_biz_app'], phone['platform_type']),
    overrideUrl: text(urls['phone_number']) ?? text(urls['whatsapp_business_account']),
    health: readHealth(phone['health_status']),
  };
}

function readHealth(value: unknown): HealthFacts | null {
  const canSend = text(jsonOf(value)['can_send_message']);
  if (canSend === null) return null;
  const errors = jsons(jsonOf(value)['entities']).flatMap((entity) => jsons(entity['errors']));
  return {
    canSend,
    errors: errors.map((error) => ({
      code: Number(error['error_code']),
      description: text(error['error_description']) ?? 'Meta gives no reason',
      solution: text(error['possible_solution']),
    })),
  };
}

/** Something that became of a message, as the network remembers it. */
export interface RememberedEvent {
  /** The network's word: SENT, DELIVERED, READ, FAILED or DELETED. */
  readonly status: string;
  /** Unix seconds, or null if missing. */
  readonly timestamp: number | null;
  /** What became of its callback: PENDING, DELIVERED, FAILED or RETRYING; null if that is not told. */
  readonly callback: string | null;
  /** Why it failed, in the network's words. */
  readonly error: string | null;
}

/** `GET /{phone_number_id}/message_history` of one message. */
export const readHistory = (answer: unknown): RememberedEvent[] =>
  jsons(jsonOf(answer)['data'])
    .flatMap(({ events }) => jsons(jsonOf(events)['data']))
    .flatMap((event) => {
      const status = text(event['delivery_status']);
      if (status === null) return [];
      const { timestamp, webhook_update_state: callback, error_description: error } = event;
      return [{ status, timestamp: unixSeconds(timestamp), callback: text(callback), error: text(error) }];
    });
