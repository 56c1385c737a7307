import type { Behaviour, BehaviourSettings, ReportedStatus } from '../control/behaviour.js';

/**
 * A planned report: the status, when it is sent and the timestamp it carries, both in ms after acceptance, and the error
 * code of a failure, unless that is 131026.
 */
export type PlannedReport = readonly [status: ReportedStatus, due: number, claimed: number, code?: number];

/** The `due` of a report that never goes out, although what it says has happened. */
export const WITHHELD = -1;

/** The error code of a `failed` report that names no other. */
export const UNDELIVERABLE = 131026;

/** Recipients with a fixed behaviour, by the last digits of their number or user id. */
export const MAGIC = {
  failsLater: '9990001',
  rejected: '9990002',
  neverRead: '9990003',
  saysHello: '9990004',
  taps: '9990005',
  pairLimitedOnce: '9990006',
  resets: '9990007',
  resetsForGood: '9990008',
  readOnly: '9990009',
  reversedTwice: '9990010',
  capped: '9990011',
  optedOut: '9990012',
  templatePaused: '9990013',
  unpaid: '9990014',
  sentOnly: '9990015',
  picksFromList: '9990016',
} as const;

const ENDINGS: ReadonlySet<string> = new Set(Object.values(MAGIC));

/** The magic recipients of whom only a failure is reported, with its code. */
const LATE_FAILURES: Readonly<Record<string, number>> = {
  [MAGIC.capped]: 131049,
  [MAGIC.optedOut]: 131050,
  [MAGIC.templatePaused]: 132015,
  [MAGIC.unpaid]: 131042,
};

const hasMagic = (recipient: string): boolean => ENDINGS.has(magicOf(recipient));

export const magicOf = (recipient: string): string => recipient.slice(-7);

function statusesFor(magic: string, { statuses }: BehaviourSettings): readonly ReportedStatus[] {
  if (statuses.length === 0) return statuses;
  switch (magic) {
    case MAGIC.failsLater:
      return ['sent', 'failed'];
    case MAGIC.neverRead:
      return statuses.filter((status) => status !== 'read' && status !== 'played');
    case MAGIC.readOnly:
      return statuses.filter((status) => status !== 'delivered');
    case MAGIC.sentOnly:
      return statuses.filter((status) => status === 'sent');
    case MAGIC.resetsForGood:
      return [];
    default:
      return statuses;
  }
}

const inOrder = (statuses: readonly ReportedStatus[], delay: number): PlannedReport[] =>
  statuses.map((status, i) => [status, (i + 1) * delay, (i + 1) * delay]);

/** The plan of ordinary messages, shared by all of them to save memory. */
const ordinaryPlans = new WeakMap<BehaviourSettings, readonly PlannedReport[]>();

function ordinaryPlan(settings: BehaviourSettings): readonly PlannedReport[] {
  const known = ordinaryPlans.get(settings);
  if (known) return known;
  const plan = inOrder(settings.statuses, settings.status_delay_ms);
  ordinaryPlans.set(settings, plan);
  return plan;
}

/** The plan of a message of which only its failure is reported, with this code. */
export const planFailure = (
  code: number,
  { statuses, status_delay_ms }: BehaviourSettings,
): readonly PlannedReport[] => (statuses.length === 0 ? [] : [['failed', status_delay_ms, status_delay_ms, code]]);

/** The plan of a voice note: whoever reads it listens to it. */
export function withPlayed(
  plan: readonly PlannedReport[],
  { status_delay_ms: delay }: BehaviourSettings,
): readonly PlannedReport[] {
  const last = plan.at(-1);
  return last?.[0] === 'read' ? [...plan, ['played', last[1] + delay, last[2] + delay]] : plan;
}

/** The plan of a message that is held for `ms` before anything happens to it. */
export const heldFor = (ms: number, plan: readonly PlannedReport[]): readonly PlannedReport[] =>
  plan.map(([status, due, claimed, code]) => {
    const times = [due === WITHHELD ? WITHHELD : due + ms, claimed + ms] as const;
    return code === undefined ? [status, ...times] : [status, ...times, code];
  });

/**
 * Plans all reports of a message to `recipient` at acceptance, so the plan is stored with the message and survives a
 * restart. Of reactions only `sent` is reported.
 */
export function planReports(recipient: string, behaviour: Behaviour, type = 'text'): readonly PlannedReport[] {
  const { settings, random } = behaviour;
  const { late_error } = settings;
  if (late_error && !hasMagic(recipient) && random.chance(late_error.rate)) {
    return planFailure(late_error.code, settings);
  }
  if (type === 'reaction')
    return inOrder(
      settings.statuses.filter((status) => status === 'sent'),
      settings.status_delay_ms,
    );
  if (!hasMagic(recipient) && settings.duplicate_rate + settings.reorder_rate + settings.drop_rate === 0) {
    return ordinaryPlan(settings);
  }
  const { status_delay_ms: delay, duplicate_rate, reorder_rate, drop_rate } = settings;
  const magic = magicOf(recipient);
  const failure = LATE_FAILURES[magic];
  if (failure !== undefined) return planFailure(failure, settings);
  const statuses = statusesFor(magic, settings);
  const claimed = inOrder(statuses, delay);
  if (magic === MAGIC.reversedTwice) {
    const reversed = [...claimed].reverse();
    return [...reversed, ...reversed].map(([status, , time], i) => [status, (i + 1) * delay, time]);
  }
  const order = claimed.map(([, due]) => due);
  for (let i = 0; i + 1 < order.length; i += 1) {
    if (random.chance(reorder_rate)) order.splice(i, 2, order[i + 1] ?? 0, order[i] ?? 0);
  }
  const plan: PlannedReport[] = [];
  for (const [i, [status, , time]] of claimed.entries()) {
    const isWithheld = random.chance(drop_rate);
    const report: PlannedReport = [status, isWithheld ? WITHHELD : (order[i] ?? time), time];
    plan.push(report);
    if (isWithheld) continue;
    if (random.chance(duplicate_rate)) plan.push(report);
  }
  return plan.sort((a, b) => a[1] - b[1]);
}
