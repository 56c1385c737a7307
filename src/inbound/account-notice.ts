import type { RestrictionNews, StandingNews } from '../accounts/business-phone.queries.js';
import { now, SECOND } from '../values/clock.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isObject, type JsonObject, text, unixSeconds } from './callback.js';

/** The restrictions that keep a business from sending; others, such as those on adding phones, do not. */
const MESSAGING_RESTRICTIONS = new Set([
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
]);
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

/** What a notice says about the right to send, without its time. */
type Standing = Omit<StandingNews, 'toldAt'>;

const UNRESTRICTED: RestrictionNews = { reason: null, expiresAt: null };
const REINSTATED: Standing = { ban: null, restriction: UNRESTRICTED };

/** The ban or restriction that an `account_update` imposes or lifts; null for neither. */
export function standingOf(value: JsonObject): Standing | null {
  const event = text(value['event']) ?? '';
  const banStates = isObject(value['ban_info']) ? texts(value['ban_info']['waba_ban_state']) : [];
  if (banStates.includes('REINSTATE')) return REINSTATED;
  if (banStates.includes('DISABLE') || (event === 'DISABLED_UPDATE' && banStates.length === 0)) {
    return { ban: 'the business account was disabled by the network' };
  }
  const restrictions = Array.isArray(value['restriction_info']) ? value['restriction_info'].filter(isObject) : null;
  if (restrictions !== null && restrictions.length > 0) {
    const restriction = messagingRestriction(restrictions);
    return restriction === null ? null : { restriction };
  }
  if (event === 'ACCOUNT_RESTRICTION') return restrictions === null ? null : { restriction: UNRESTRICTED };
  if (event === 'ACCOUNT_DELETED') return { ban: 'the business account was deleted on the network' };
  if (event === 'ACCOUNT_RECONNECTED' || event === 'ACCOUNT_REINSTATED') return REINSTATED;
  return null;
}

/** The restriction of sending among several, until the last of them expires; null when there is none. */
function messagingRestriction(restrictions: readonly JsonObject[]): RestrictionNews | null {
  const ofMessaging = restrictions.filter(({ restriction_type: type }) => MESSAGING_RESTRICTIONS.has(String(type)));
  if (ofMessaging.length === 0) return null;
  const kinds = ofMessaging.map(({ restriction_type: type }) => String(type)).join(', ');
  const ends = ofMessaging.map(({ expiration }) => unixSeconds(expiration) ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...ends);
  const reason = `the network has restricted the business account (${kinds})`;
  if (!Number.isFinite(last)) return { reason, expiresAt: null };
  const expiresAt = new Date(Math.min(last, MAX_EXPIRY_SECONDS) * SECOND);
  return { reason: `${reason} until ${expiresAt.toISOString()}`, expiresAt };
}

/** The number of the phone whose throughput a `phone_number_quality_update` raises; null when it raises none. */
export function upgradedPhoneOf(value: JsonObject): string | null {
  const phone = text(value['display_phone_number'])?.replace(/\D/g, '') ?? '';
  return value['event'] === 'THROUGHPUT_UPGRADE' && phone !== '' ? phone : null;
}

/** A contact's decision about marketing messages. The contact is named by number, business-scoped user id or both. */
export interface MarketingPreference {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: string | null;
  readonly optedIn: boolean;
  /** When the contact decided; now if the notice does not say. */
  readonly at: Date;
}

/** Reads the contacts' decisions about marketing messages from a `user_preferences` notice. */
export function preferencesOf(value: JsonObject): MarketingPreference[] {
  const preferences = Array.isArray(value['user_preferences']) ? value['user_preferences'].filter(isObject) : [];
  return preferences.flatMap((preference) => {
    const phoneNumber = isPhoneNumber(preference['wa_id']) ? preference['wa_id'] : null;
    const userId = text(preference['user_id']);
    const decision = preference['value'];
    const aboutMarketing = preference['category'] === undefined || preference['category'] === 'marketing_messages';
    if (phoneNumber === null && userId === null) return [];
    const seconds = unixSeconds(preference['timestamp']);
    const at = seconds === null ? now() : new Date(Math.min(seconds * SECOND, now().getTime()));
    if (!aboutMarketing || (decision !== 'stop' && decision !== 'resume')) return [];
    return [{ phoneNumber, userId, optedIn: decision === 'resume', at }];
  });
}

/** The network's id of the phone in a notice, or null. */
export const phoneNumberIdOf = (value: JsonObject): string | null =>
  isObject(value['metadata']) ? text(value['metadata']['phone_number_id']) : null;
