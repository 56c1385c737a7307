import type { Conversation } from '../records.js';

/** Until when one may write freely. */
export type WindowState =
  | { readonly kind: 'open'; readonly hours: number }
  | { readonly kind: 'soon'; readonly seconds: number }
  | { readonly kind: 'closed' };

const MS_PER_SECOND = 1000;
const SECONDS_PER_HOUR = 3600;
const WINDOW_SECONDS = 24 * SECONDS_PER_HOUR;
/** A window that closes sooner needs somebody. */
const SOON_SECONDS = 2 * SECONDS_PER_HOUR;

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** The window of a conversation at a time of the service. */
export function windowOf({ window_expires_at }: Pick<Conversation, 'window_expires_at'>, now: Date): WindowState {
  const seconds = window_expires_at === null ? 0 : secondsBetween(now, new Date(window_expires_at));
  if (seconds <= 0) return { kind: 'closed' };
  return seconds < SOON_SECONDS
    ? { kind: 'soon', seconds }
    : { kind: 'open', hours: Math.floor(seconds / SECONDS_PER_HOUR) };
}

/** When the person wrote last; null if never. The window is open for a day from then on. */
export const wroteAt = ({ window_expires_at }: Pick<Conversation, 'window_expires_at'>): string | null =>
  window_expires_at === null
    ? null
    : new Date(Date.parse(window_expires_at) - WINDOW_SECONDS * MS_PER_SECOND).toISOString();

/** How long somebody has waited, seconds; null for those who wait for nothing. */
export function waitOf({ waiting_since }: Pick<Conversation, 'waiting_since'>, now: Date): number | null {
  return waiting_since === null ? null : Math.max(0, secondsBetween(new Date(waiting_since), now));
}

/** What stays the same of a conversation, whatever happens in it. */
export const rowKey = ({ contact_id, waba_phone_id }: Pick<Conversation, 'contact_id' | 'waba_phone_id'>): string =>
  `${contact_id} ${waba_phone_id}`;
