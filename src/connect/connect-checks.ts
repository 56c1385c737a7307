import { checkApp, checkBusinessAccount, checkPermissions, checkToken, checkTokenApp } from './access-checks.js';
import type { Check } from './check.js';
import {
  checkCallbackUrl,
  checkFields,
  checkHealth,
  checkLiveMode,
  checkName,
  checkPayment,
  checkQuality,
  checkRegistration,
  checkReports,
  checkSubscription,
} from './flow-checks.js';
import type { Readings } from './readings.js';

/** The checks that must not fail before anything is changed at Meta. */
const ACCESS = [checkApp, checkToken, checkTokenApp, checkPermissions, checkBusinessAccount] as const;
const FLOW = [
  checkRegistration,
  checkSubscription,
  checkCallbackUrl,
  checkFields,
  checkName,
  checkQuality,
  checkHealth,
  checkPayment,
  checkLiveMode,
  checkReports,
] as const;

/** Whether the token, its rights and the ids are proven, so that the phone may be registered and the app subscribed. */
export const isAccessProven = (readings: Readings): boolean =>
  ACCESS.every((check) => check(readings).result !== 'failed');

/** Every check, in the order of {@link CHECKS}. */
export const checksOf = (readings: Readings): Check[] => [...ACCESS, ...FLOW].map((check) => check(readings));
