import { SeededRandom } from '../../simulator/seeded-random.js';

/** Possible recipients of a round, shared by its campaigns. */
export const PEOPLE = 250;
const SLOW = 20;
/** Messages per second of a phone, 0 for no limit. */
const THROUGHPUTS = [0, SLOW, 200];
const MIN_RECIPIENTS = 20;
const MAX_RECIPIENTS = 200;
/** A slow phone must finish within the round. */
const MAX_RECIPIENTS_OF_SLOW = 50;
/** Longer than the service's network timeout, so that every answer is late; milliseconds. */
const TOO_LATE_MS = 2000;
/** How long a worker is stopped: longer than the lease; milliseconds. */
const STOPPED_MS = 6500;
/** Latest times of the steps of a round, milliseconds from its start. Sends come first, so that faults hit them. */
const SENT_BY_MS = 1200;
const FAULT_BY_MS = 2500;
const ACTION_BY_MS = 4000;
const RETRY_FAULT_BY_MS = 300;

/** A campaign of a round: its recipients, phone and start. */
export interface PlannedCampaign {
  readonly phone: number;
  /** Index of the first recipient among the people of the round. */
  readonly from: number;
  readonly recipients: number;
  readonly start: 'sent' | 'scheduled';
  readonly at: number;
}

/** A fault. Times in milliseconds. */
export type PlannedFault = { readonly at: number } & (
  | {
      readonly what: 'end';
      readonly signal: 'SIGKILL' | 'SIGTERM';
      readonly workers: readonly number[];
      readonly away: number;
    }
  | { readonly what: 'stop'; readonly worker: number; readonly lasts: number }
  | { readonly what: 'database silent'; readonly server: 'gone' | 'open'; readonly lasts: number }
  | { readonly what: 'database cut'; readonly how: 'reset' | 'end'; readonly lasts: number }
  | { readonly what: 'database slow'; readonly delay: number; readonly lasts: number }
  | { readonly what: 'network reset'; readonly lasts: number }
  | { readonly what: 'network silent'; readonly lost: 'requests' | 'answers' }
);

/** An action of a caller on a campaign. */
export interface PlannedAction {
  readonly at: number;
  readonly campaign: number;
  readonly action: 'pause' | 'resume' | 'cancel' | 'retry-failed';
}

/** One round, drawn from its seed. */
export interface CampaignPlan {
  readonly seed: number;
  readonly throughputs: readonly number[];
  readonly campaigns: readonly PlannedCampaign[];
  readonly behaviour: {
    readonly error: { readonly code: number; readonly rate: number } | null;
    /** Fails accepted messages later. */
    readonly late_error: { readonly code: number; readonly rate: number } | null;
    readonly reset_after_accept_rate: number;
    readonly latency_ms: number;
  };
  readonly faults: readonly PlannedFault[];
  readonly actions: readonly PlannedAction[];
  /** Faults while failures are retried, once the campaigns have settled; null for no retry. */
  readonly retry: readonly PlannedFault[] | null;
}

/** Draws a round; the same seed gives the same round. */
export function planOf(seed: number): CampaignPlan {
  const random = new SeededRandom(seed);
  // The first numbers of neighbouring seeds are similar.
  for (let turn = 0; turn < 8; turn += 1) random.next();
  const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
  const oneOf = <T>(values: readonly T[]): T => values[between(0, values.length - 1)] as T;
  const several = <T>(least: number, most: number, draw: () => T): T[] =>
    Array.from({ length: between(least, most) }, draw);

  const throughputs = several(1, 3, () => oneOf(THROUGHPUTS));
  const campaigns = several(2, 4, (): PlannedCampaign => {
    const phone = between(0, throughputs.length - 1);
    const recipients = between(MIN_RECIPIENTS, throughputs[phone] === SLOW ? MAX_RECIPIENTS_OF_SLOW : MAX_RECIPIENTS);
    const from = between(0, PEOPLE - recipients);
    const start = oneOf(['sent', 'sent', 'scheduled'] as const);
    return { phone, from, recipients, start, at: between(0, SENT_BY_MS) };
  });
  const answers = {
    error: oneOf([
      null,
      { code: 130429, rate: 0.05 },
      { code: 131056, rate: 0.05 },
      { code: 131000, rate: 0.5 },
      { code: 190, rate: 0.01 },
      { code: 190, rate: 0.1 },
    ]),
    reset_after_accept_rate: oneOf([0, 0, 0.1]),
    latency_ms: oneOf([20, 150, 500, 500, TOO_LATE_MS]),
  };
  const fault = (by: number): PlannedFault => {
    const at = between(0, by);
    const lasts = between(1000, 4000);
    switch (between(0, 6)) {
      case 0:
        return {
          at,
          what: 'end',
          signal: oneOf(['SIGKILL', 'SIGKILL', 'SIGTERM']),
          workers: oneOf([[0], [1], [0, 1]]),
          away: between(0, 1500),
        };
      case 1:
        return { at, what: 'stop', worker: between(0, 1), lasts: STOPPED_MS };
      case 2:
        return { at, what: 'database silent', server: oneOf(['gone', 'open']), lasts };
      case 3:
        return { at, what: 'database cut', how: oneOf(['reset', 'end']), lasts };
      case 4:
        return { at, what: 'database slow', delay: between(20, 150), lasts };
      case 5:
        return { at, what: 'network reset', lasts };
      default:
        return { at, what: 'network silent', lost: oneOf(['requests', 'answers']) };
    }
  };
  const faults = several(1, 2, () => fault(FAULT_BY_MS));
  const actions = several(0, 3, (): PlannedAction[] => {
    const at = between(0, ACTION_BY_MS);
    const campaign = between(0, campaigns.length - 1);
    const action = oneOf(['pause', 'pause', 'cancel', 'retry-failed'] as const);
    return [
      { at, campaign, action },
      ...(action === 'pause' ? [{ at: at + between(0, 2000), campaign, action: 'resume' as const }] : []),
    ];
  }).flat();
  const retry = oneOf([null, [], [fault(RETRY_FAULT_BY_MS)]]);
  // Drawn last: the rest of a round is as it was before codes came late.
  const late_error = oneOf([null, null, { code: 131026, rate: 0.1 }, { code: 131042, rate: 0.02 }]);
  const behaviour = { ...answers, late_error };
  return { seed, throughputs, campaigns, behaviour, faults, actions, retry };
}
