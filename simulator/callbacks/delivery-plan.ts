import type { Behaviour, BehaviourSettings, ReportedStatus } from '../control/behaviour.js';

/** A planned report: the status, when it is sent and the timestamp it carries, both in ms after acceptance. */
export type PlannedReport = readonly [status: ReportedStatus, due: number, claimed: number];

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
} as const;

const ENDINGS: ReadonlySet<string> = new Set(Object.values(MAGIC));

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

/**
 * Plans all reports of a message to `recipient` at acceptance, so the plan is stored with the message and survives a
 * restart.
 */
export function planReports(recipient: string, behaviour: Behaviour): readonly PlannedReport[] {
  const { settings, random } = behaviour;
  if (!hasMagic(recipient) && settings.duplicate_rate + settings.reorder_rate + settings.drop_rate === 0) {
    return ordinaryPlan(settings);
  }
  const { status_delay_ms: delay, duplicate_rate, reorder_rate, drop_rate } = settings;
  const magic = magicOf(recipient);
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
    if (random.chance(drop_rate)) continue;
    const report: PlannedReport = [status, order[i] ?? time, time];
    plan.push(report);
    if (random.chance(duplicate_rate)) plan.push(report);
  }
  return plan.sort((a, b) => a[1] - b[1]);
}
