import { now, SECOND } from '../values/clock.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { storableText } from '../values/storable-text.js';
import { type JsonObject, unixSeconds } from './callback.js';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');

/**
 * When the network told a notice, to the second, as the network has it. A notice that does not say counts as told just
 * now, and so does one from the future.
 */
export function noticeTime(toldAt: number | null): Date {
  const seconds = Math.floor(now().getTime() / SECOND);
  return new Date(Math.min(Math.floor(toldAt ?? seconds), seconds) * SECOND);
}

/** What an `account_update` means for sending: a restriction in words, null when it is lifted, undefined for neither. */
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

/** The number of the phone that a `phone_number_quality_update` gives more throughput, or null when it gives none. */
export function upgradedPhoneOf(value: JsonObject): string | null {
  const phone = text(value['display_phone_number'])?.replace(/\D/g, '') ?? '';
  return value['event'] === 'THROUGHPUT_UPGRADE' && phone !== '' ? phone : null;
}

/** What a contact decided about marketing messages. The contact is named by number, business-scoped id or both. */
export interface MarketingPreference {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: string | null;
  readonly optedIn: boolean;
  /** When; now if the notice does not say. */
  readonly at: Date;
}

/** What contacts decided about marketing messages, in a `user_preferences` notice. */
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

/** The network's id of the phone that a notice names, or null. */
export const phoneNumberIdOf = (value: JsonObject): string | null =>
  isObject(value['metadata']) ? text(value['metadata']['phone_number_id']) : null;
