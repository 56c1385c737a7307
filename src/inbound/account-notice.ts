import type { RestrictionNews } from '../accounts/business-phone.queries.js';
import type { RestrictionType } from '../accounts/restrictions.js';
import { now, SECOND } from '../values/clock.js';
import { isObject, type JsonObject, text, unixSeconds } from '../values/network-json.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isUserId, type UserId } from '../values/user-id.js';

/** Restrictions that a notice imposes by name; others, such as those on adding phones, keep nobody from sending. */
const NAMED = [
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
  'RESTRICTED_UTILITY_TEMPLATES',
  'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING',
] as const satisfies readonly RestrictionType[];
const BANS = ['DISABLE', 'ACCOUNT_DELETED', 'SCHEDULE_FOR_DISABLE'] as const satisfies readonly RestrictionType[];
/** Without them we have no access to the business account: whatever restores it ends all of them. */
const ACCESS_LOSSES = [
  'ACCOUNT_OFFBOARDED',
  'PARTNER_APP_UNINSTALLED',
  'PARTNER_REMOVED',
] as const satisfies readonly RestrictionType[];
/** What the network adds in words is kept up to this many characters. */
const MAX_DETAIL = 300;
/** The last second of the year 9999: a later expiry may not be a valid time. */
const MAX_EXPIRY_SECONDS = 253_402_300_799;

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');

/**
 * When the network sent a notice, to the second. A notice without a time, or with one in the future, counts as sent
 * now.
 */
export function noticeTime(sentAt: number | null): Date {
  const seconds = Math.floor(now().getTime() / SECOND);
  return new Date(Math.min(Math.floor(sentAt ?? seconds), seconds) * SECOND);
}

const LIFTED = { isInForce: false, until: null, detail: null };
const IMPOSED = { ...LIFTED, isInForce: true };

const lifted = (types: readonly RestrictionType[]): RestrictionNews =>
  Object.fromEntries(types.map((type) => [type, LIFTED]));

/** What a notice without a list of restrictions says by its event alone. */
const NEWS_OF_EVENT: ReadonlyMap<string, RestrictionNews> = new Map<string, RestrictionNews>([
  ['ACCOUNT_DELETED', { ACCOUNT_DELETED: IMPOSED }],
  ['ACCOUNT_REINSTATED', lifted([...BANS, ...NAMED])],
  ['ACCOUNT_OFFBOARDED', { ACCOUNT_OFFBOARDED: IMPOSED }],
  ['PARTNER_APP_UNINSTALLED', { PARTNER_APP_UNINSTALLED: IMPOSED }],
  ['PARTNER_REMOVED', { PARTNER_REMOVED: IMPOSED }],
  ['ACCOUNT_RECONNECTED', lifted(ACCESS_LOSSES)],
  ['PARTNER_APP_INSTALLED', lifted(ACCESS_LOSSES)],
  ['PARTNER_ADDED', lifted(ACCESS_LOSSES)],
]);

/** What an `account_update` says about restrictions of sending; null for nothing. */
export function restrictionNewsOf(value: JsonObject): RestrictionNews | null {
  const event = text(value['event']) ?? '';
  const ban = banNewsOf(event, isObject(value['ban_info']) ? value['ban_info'] : {});
  if (ban !== null) return ban;
  const listed = Array.isArray(value['restriction_info']) ? value['restriction_info'].filter(isObject) : null;
  if (listed !== null && listed.length > 0) return namedNewsOf(listed);
  if (event === 'ACCOUNT_RESTRICTION') return listed === null ? null : lifted(NAMED);
  const violation = isObject(value['violation_info']) ? (text(value['violation_info']['violation_type']) ?? '') : '';
  if (violation.endsWith('_UNBAN')) return lifted(['RESTRICTED_UTILITY_TEMPLATES']);
  if (violation.endsWith('_RATE_LIMIT_RECOVERY')) return lifted(['RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING']);
  return NEWS_OF_EVENT.get(event) ?? null;
}

function banNewsOf(event: string, info: JsonObject): RestrictionNews | null {
  const states = texts(info['waba_ban_state']);
  if (states.includes('REINSTATE')) return lifted([...BANS, ...NAMED]);
  if (states.includes('DISABLE') || (event === 'DISABLED_UPDATE' && states.length === 0)) {
    return { DISABLE: IMPOSED, SCHEDULE_FOR_DISABLE: LIFTED };
  }
  if (!states.includes('SCHEDULE_FOR_DISABLE')) return null;
  return { SCHEDULE_FOR_DISABLE: { ...IMPOSED, detail: detailOf(info['waba_ban_date']) } };
}

/** Each restriction of sending in a list, until it expires, if listed twice at last; null when there is none. */
function namedNewsOf(listed: readonly JsonObject[]): RestrictionNews | null {
  const news = listed.flatMap(({ restriction_type: named, expiration, remediation }) => {
    const type = NAMED.find((each) => each === named);
    const ends = unixSeconds(expiration);
    const until = ends === null ? null : Math.min(Math.floor(ends), MAX_EXPIRY_SECONDS);
    return type === undefined ? [] : [[type, { isInForce: true, until, detail: detailOf(remediation) }] as const];
  });
  const endOf = ([, { until }]: (typeof news)[number]): number => until ?? Number.MAX_SAFE_INTEGER;
  return news.length === 0 ? null : Object.fromEntries(news.sort((one, other) => endOf(one) - endOf(other)));
}

const detailOf = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : (text(value)?.slice(0, MAX_DETAIL).toWellFormed() ?? null);

/** The business account that a notice is about: about partners, the envelope names another business. */
export const businessOf = (value: JsonObject, envelopeId: string | null): string | null =>
  (isObject(value['waba_info']) ? text(value['waba_info']['waba_id']) : null) ?? envelopeId;

/** The number of the phone whose throughput a `phone_number_quality_update` raises; null when it raises none. */
export function upgradedPhoneOf(value: JsonObject): string | null {
  const phone = text(value['display_phone_number'])?.replace(/\D/g, '') ?? '';
  return value['event'] === 'THROUGHPUT_UPGRADE' && phone !== '' ? phone : null;
}

/** A person's decision about marketing messages. They are named by number, business-scoped user id or both. */
export interface MarketingPreference {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
  readonly optedIn: boolean;
  /** When they decided; now if the notice does not say. */
  readonly at: Date;
}

/** The values of a preference; `signup` comes from a sign-up link. */
const DECISIONS: ReadonlyMap<unknown, boolean> = new Map([
  ['stop', false],
  ['resume', true],
  ['signup', true],
]);

/**
 * Reads people's decisions about marketing messages from a `user_preferences` notice; `isComplete` is false when a part
 * of it is none.
 */
export function preferencesOf(value: JsonObject): {
  readonly preferences: MarketingPreference[];
  readonly isComplete: boolean;
} {
  const parts = Array.isArray(value['user_preferences']) ? value['user_preferences'].filter(isObject) : [];
  const preferences = parts.flatMap((part) => preferenceOf(part) ?? []);
  return { preferences, isComplete: preferences.length > 0 && preferences.length === parts.length };
}

function preferenceOf(part: JsonObject): MarketingPreference | null {
  const phoneNumber = isPhoneNumber(part['wa_id']) ? part['wa_id'] : null;
  const userId = isUserId(part['user_id']) ? part['user_id'] : null;
  const optedIn = DECISIONS.get(part['value']);
  const aboutMarketing = part['category'] === undefined || part['category'] === 'marketing_messages';
  if ((phoneNumber === null && userId === null) || !aboutMarketing || optedIn === undefined) return null;
  const seconds = unixSeconds(part['timestamp']);
  const at = seconds === null ? now() : new Date(Math.min(seconds * SECOND, now().getTime()));
  return { phoneNumber, userId, optedIn, at };
}

/** The network's id of the phone in a notice, or null. */
export const phoneNumberIdOf = (value: JsonObject): string | null =>
  isObject(value['metadata']) ? text(value['metadata']['phone_number_id']) : null;
