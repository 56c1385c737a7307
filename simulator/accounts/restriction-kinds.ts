import type { JsonObject } from '../json-object.js';

/** What a notice says of a restriction. */
interface Terms {
  type: string;
  /** When it ends, or takes effect in the case of a scheduled ban; in unix seconds. */
  expiration: number | null;
}

/** A restriction of a business account, as `POST /_sim/restrictions` imposes it. */
export interface Restriction extends Terms {
  waba_id: string;
  type: RestrictionType;
  /** Utility templates that still go in 24 h. */
  limit: number;
}

interface Kind {
  /** How long it lasts unless the test says, in days. */
  days?: number;
  /** The `account_update` that imposes it. */
  imposed(terms: Terms): JsonObject;
  /** The `account_update` that lifts it; absent if the network sends none. */
  lifted?: JsonObject;
}

const restricted = ({ type, expiration }: Terms): JsonObject => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: [
    { restriction_type: type, expiration, remediation: 'Review the policies, then ask for a review.' },
  ],
});
const violation = (violation_type: string): JsonObject => ({
  event: 'ACCOUNT_VIOLATION',
  violation_info: { violation_type },
});
const misfiled = (terms: Terms): JsonObject => ({
  ...restricted(terms),
  violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' },
});
const banned = (waba_ban_state: string): JsonObject => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } });
const event = (name: string): JsonObject => ({ event: name });
const dateOf = (expiration: number | null): string => new Date((expiration ?? 0) * 1000).toISOString().slice(0, 10);

/** All restrictions that can be imposed, by the names that the network uses in its notices. */
export const RESTRICTION_KINDS = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: { days: 7, imposed: restricted },
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: { days: 7, imposed: restricted },
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: { days: 7, imposed: restricted },
  RESTRICTED_UTILITY_TEMPLATES: {
    days: 7,
    imposed: misfiled,
    lifted: violation('UTILITY_TEMPLATE_ABUSE_UNBAN'),
  },
  RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING: {
    days: 7,
    imposed: misfiled,
    lifted: violation('UTILITY_TEMPLATE_ABUSE_RATE_LIMIT_RECOVERY'),
  },
  UTILITY_TEMPLATE_ABUSE: { imposed: () => violation('UTILITY_TEMPLATE_ABUSE') },
  DISABLE: { imposed: () => banned('DISABLE'), lifted: banned('REINSTATE') },
  SCHEDULE_FOR_DISABLE: {
    days: 7,
    imposed: ({ expiration }: Terms) => ({
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: dateOf(expiration) },
    }),
    lifted: banned('REINSTATE'),
  },
  ACCOUNT_OFFBOARDED: { imposed: () => event('ACCOUNT_OFFBOARDED'), lifted: event('ACCOUNT_RECONNECTED') },
  ACCOUNT_DELETED: { imposed: () => event('ACCOUNT_DELETED') },
  PARTNER_REMOVED: { imposed: () => event('PARTNER_REMOVED'), lifted: event('PARTNER_ADDED') },
  PARTNER_APP_UNINSTALLED: { imposed: () => event('PARTNER_APP_UNINSTALLED'), lifted: event('PARTNER_APP_INSTALLED') },
} satisfies Record<string, Kind>;

export type RestrictionType = keyof typeof RESTRICTION_KINDS;

export const kindOf = (type: RestrictionType): Kind => RESTRICTION_KINDS[type];

export const isRestrictionType = (value: unknown): value is RestrictionType =>
  typeof value === 'string' && Object.hasOwn(RESTRICTION_KINDS, value);
