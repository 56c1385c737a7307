import { isObject, type JsonObject } from '../json-object.js';
import { SeededRandom } from '../seeded-random.js';
import { ControlError } from './control-error.js';

const REPORTED_STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

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
  error: { code: number; rate: number } | null;
  seed: number;
  pair_limit: boolean;
  max_templates_per_hour: number;
}

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
  seed: 1,
  pair_limit: false,
  max_templates_per_hour: 0,
};

const isWhole = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isRate = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isReported = (value: unknown): boolean => REPORTED_STATUSES.includes(value as ReportedStatus);
const isInjectedError = (value: unknown): boolean =>
  value === null || (isObject(value) && Number.isInteger(value.code) && isRate(value.rate));

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
  error: [isInjectedError, 'null or {code, rate} with a rate from 0 to 1'],
  seed: [Number.isInteger, 'a whole number'],
  pair_limit: [(value) => typeof value === 'boolean', 'true or false'],
  max_templates_per_hour: [isWhole, 'a whole number, 0 for no limit'],
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
