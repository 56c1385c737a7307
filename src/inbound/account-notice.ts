import { now, SECOND } from '../values/clock.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isObject, type JsonObject, text, unixSeconds } from './callback.js';

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

/** The restriction in an `account_update`, in words; null when it lifts the restriction, undefined for neither. */
export function restrictionOf(value: JsonObject): string | null | undefined {
  const event = text(value['event']) ?? '';
  const banStates = isObject(value['ban_info']) ? texts(value['ban_info']['waba_ban_state']) : [];
  if (banStates.includes('REINSTATE')) return null;
  if (banStates.includes('DISABLE')) return 'the business account was disabled by the network';
  const restrictions = Array.isArray(value['restriction_info']) ? value['restriction_info'].filter(isObject) : null;
  if (restrictions !== null && restrictions.length > 0) {
    const kinds = restrictions.map((restriction) => text(restriction['restriction_type']) ?? 'unknown').join(', ');
    return `the network has restricted the business account (${kinds})`;
  }
  if (event === 'ACCOUNT_RESTRICTION') {
    return restrictions === null ? 'the network has restricted the business account' : null;
  }
  if (event === 'ACCOUNT_DELETED') return 'the business account was deleted on the network';
  if (event === 'ACCOUNT_RECONNECTED' || event === 'ACCOUNT_REINSTATED') return null;
  return undefined;
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
