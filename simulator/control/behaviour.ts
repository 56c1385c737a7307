import { isObject, type JsonObject } from '../json-object.js';
import { isMediaFault, MEDIA_FAULT, type MediaFault } from '../media/media-faults.js';
import { isUploadFault, UPLOAD_FAULT, type UploadFault } from '../media/upload-faults.js';
import { SPELLING_RULES, type SpelledCountry } from '../people/spelling-rules.js';
import { SeededRandom } from '../seeded-random.js';
import { ControlError } from './control-error.js';

const REPORTED_STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** An error code, and the share of messages that it hits. */
interface ErrorShare {
  code: number;
  rate: number;
  /** Answers only: reports have none. */
  subcode?: number;
}

/**
 * Holds the messages of a template after its first `hold_after`, or with `scope` `portfolio` those of all templates of a
 * portfolio. After `delay_ms` they are released or dropped.
 */
export interface PacingSettings {
  hold_after: number;
  verdict: 'release' | 'drop';
  delay_ms: number;
  scope?: 'template' | 'portfolio';
}

/** The settings of `POST /_sim/behaviour`. Times are in milliseconds, rates from 0 to 1. */
export interface BehaviourSettings {
  latency_ms: number;
  max_mps: number;
  review: 'auto' | 'manual';
  review_delay_ms: number;
  statuses: ReportedStatus[];
  status_delay_ms: number;
  callback_batch: number;
  duplicate_rate: number;
  reorder_rate: number;
  drop_rate: number;
  reset_after_accept_rate: number;
  error: ErrorShare | null;
  /** Messages that fail with this code after they were accepted. */
  late_error: ErrorShare | null;
  pacing: PacingSettings | null;
  /** Whether people in the United States get marketing messages. */
  us_marketing: boolean;
  /** Marketing messages that a person gets in 24 h from all businesses together; 0 for no cap. */
  marketing_cap: number;
  seed: number;
  pair_limit: boolean;
  max_templates_per_hour: number;
  big_ids: boolean;
  /** The countries whose numbers are rewritten in `wa_id`. */
  wa_id_rules: SpelledCountry[];
  /** `prefix` puts the business phone's country code in front of numbers without `+`. */
  bare_numbers: 'accept' | 'prefix';
  /** `user_id` names our messages by the user id of the person who quotes them, taps on them or reacts to them. */
  context_scope: ContextScope;
  /** The version that is set for the webhook subscription. */
  network_version: NetworkVersion;
  /** Since October 2026 replies and utility templates inside a window cost something. */
  billing_since_2026_10: boolean;
  /** How long the files that people send can be fetched; 0 means that they are gone at once. */
  media_days: number;
  /** What is wrong with those files when they are fetched. */
  media_fault: MediaFault | null;
  /** How long uploaded media can be sent by their ids; 0 means that they are forgotten at once. */
  upload_days: number;
  /** What goes wrong when media are uploaded. */
  upload_fault: UploadFault | null;
  /** Callbacks go only to the apps that are subscribed to the account and have the field ticked. */
  strict_subscription: boolean;
}

const NETWORK_VERSIONS = ['v23', 'v24'] as const;
export type NetworkVersion = (typeof NETWORK_VERSIONS)[number];

export const CONTEXT_SCOPES = ['as_given', 'user_id'] as const;
export type ContextScope = (typeof CONTEXT_SCOPES)[number];

const DEFAULTS: BehaviourSettings = {
  latency_ms: 0,
  max_mps: 0,
  review: 'auto',
  review_delay_ms: 1000,
  statuses: ['sent', 'delivered', 'read'],
  status_delay_ms: 100,
  callback_batch: 1,
  duplicate_rate: 0,
  reorder_rate: 0,
  drop_rate: 0,
  reset_after_accept_rate: 0,
  error: null,
  late_error: null,
  pacing: null,
  us_marketing: false,
  marketing_cap: 0,
  seed: 1,
  pair_limit: false,
  max_templates_per_hour: 0,
  big_ids: false,
  wa_id_rules: [],
  bare_numbers: 'accept',
  context_scope: 'as_given',
  network_version: 'v24',
  billing_since_2026_10: true,
  media_days: 7,
  media_fault: null,
  upload_days: 30,
  upload_fault: null,
  strict_subscription: false,
};

const isWhole = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isReported = (value: unknown): boolean => REPORTED_STATUSES.includes(value as ReportedStatus);
const COUNTRIES = Object.keys(SPELLING_RULES);
const isErrorShare = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    Number.isInteger(value.code) &&
    isRate(value.rate) &&
    (value.subcode === undefined || Number.isInteger(value.subcode)));

function isPacing(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { hold_after, verdict, delay_ms, scope = 'template', ...others } = value;
  if (Object.keys(others).length > 0 || !isWhole(hold_after) || !isWhole(delay_ms)) return false;
  return ['release', 'drop'].includes(verdict as string) && ['template', 'portfolio'].includes(scope as string);
}

const ERROR_SHARE = 'null or {code, rate, subcode?} with a rate from 0 to 1';

/** For each setting: its check, and the words for the error message. */
const CHECKS: Record<keyof BehaviourSettings, readonly [(value: unknown) => boolean, string]> = {
  latency_ms: [isWhole, 'a whole number of milliseconds'],
  max_mps: [isWhole, 'a whole number, 0 for no limit'],
  review: [(value) => value === 'auto' || value === 'manual', '"auto" or "manual"'],
  review_delay_ms: [isWhole, 'a whole number of milliseconds'],
  statuses: [
    (value) => Array.isArray(value) && value.length <= 10 && value.every(isReported),
    `an array of at most 10 of ${REPORTED_STATUSES.join(', ')}`,
  ],
  status_delay_ms: [isWhole, 'a whole number of milliseconds'],
  callback_batch: [(value) => isWhole(value) && value !== 0, 'a whole number of at least 1'],
  duplicate_rate: [isRate, 'a number from 0 to 1'],
  reorder_rate: [isRate, 'a number from 0 to 1'],
  drop_rate: [isRate, 'a number from 0 to 1'],
  reset_after_accept_rate: [isRate, 'a number from 0 to 1'],
  error: [isErrorShare, ERROR_SHARE],
  late_error: [isErrorShare, ERROR_SHARE],
  pacing: [
    isPacing,
    'null or {hold_after, verdict, delay_ms} with a verdict "release" or "drop", and a scope "template" or "portfolio"',
  ],
  us_marketing: [(value) => typeof value === 'boolean', 'true or false'],
  marketing_cap: [isWhole, 'a whole number, 0 for no cap'],
  seed: [Number.isInteger, 'a whole number'],
  pair_limit: [(value) => typeof value === 'boolean', 'true or false'],
  max_templates_per_hour: [isWhole, 'a whole number, 0 for no limit'],
  big_ids: [(value) => typeof value === 'boolean', 'true or false'],
  wa_id_rules: [
    (value) => Array.isArray(value) && value.every((country) => COUNTRIES.includes(country)),
    `an array of ${COUNTRIES.join(', ')}`,
  ],
  bare_numbers: [(value) => value === 'accept' || value === 'prefix', '"accept" or "prefix"'],
  network_version: [(value) => NETWORK_VERSIONS.includes(value as NetworkVersion), 'one of v23, v24'],
  billing_since_2026_10: [(value) => typeof value === 'boolean', 'true or false'],
  media_days: [(value) => typeof value === 'number' && value >= 0, 'a number of at least 0'],
  media_fault: [isMediaFault, MEDIA_FAULT],
  upload_days: [(value) => typeof value === 'number' && value >= 0, 'a number of at least 0'],
  upload_fault: [isUploadFault, UPLOAD_FAULT],
  strict_subscription: [(value) => typeof value === 'boolean', 'true or false'],
  context_scope: [(value) => CONTEXT_SCOPES.includes(value as ContextScope), `one of ${CONTEXT_SCOPES.join(', ')}`],
};

/** The network's current behaviour. Kept in memory only, so a restart restores the defaults. */
export class Behaviour {
  settings: BehaviourSettings = { ...DEFAULTS };
  readonly random = new SeededRandom(DEFAULTS.seed);

  /**
   * Merges `change` into the settings, all or nothing.
   * @throws ControlError for an unknown name or an invalid value
   */
  merge(change: JsonObject): void {
    for (const [name, value] of Object.entries(change)) {
      const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof BehaviourSettings] : undefined;
      if (!check) throw new ControlError(`unknown behaviour "${name}"; use one of ${Object.keys(CHECKS).join(', ')}`);
      if (!check[0](value)) throw new ControlError(`${name} must be ${check[1]}`);
    }
    this.settings = { ...this.settings, ...change };
    if ('seed' in change) this.random.reseed(this.settings.seed);
  }

  reset(): void {
    this.settings = { ...DEFAULTS };
    this.random.reseed(DEFAULTS.seed);
  }
}
