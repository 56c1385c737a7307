import type { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { activityOf, Books } from './books.js';
import { FaultStack } from './fault-stack.js';
import { say, sayFigures } from './figures.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { badAnswers, HEALED_WITHIN_MS, IS_QUICK, notHealed, SURELY_HEALED_WITHIN_MS, unanswered } from './verdict.js';

const RECIPIENTS = 2000;
/** Messages per second of the campaign's phone, so that the fault hits it halfway. */
const THROUGHPUT = 150;
const ACCEPTED_BEFORE = 400;
const QUIET_MS = 4000;
/** How long the service is observed after the path has recovered, milliseconds. */
const WATCHED_MS = 18_000;
/** Most connections of a process by default, including queue and listener. */
const MAX_CONNECTIONS = 20;

/** A fault on the path between Parley and PostgreSQL. */
export interface PathFault {
  /** Injects the fault; resolves once new connections work. */
  inject(proxy: TcpProxy): Promise<void> | void;
  /** Whether the service may refuse requests during the fault. */
  readonly refusals: boolean;
}

/**
 * Injects a fault on the path to PostgreSQL during a campaign of one account and other traffic of another.
 *
 * @returns what went wrong
 */
export async function injectMidCampaign({ inject, refusals }: PathFault): Promise<string[]> {
  const stack = await FaultStack.start();
  try {
    const service = await stack.mainService();
    const account = await stack.account(service, { throughput: THROUGHPUT });
    const other = await Traffic.prepare(stack, service, await stack.account(service), { reports: 300 });
    const startedAt = other.start();
    await pause(QUIET_MS);
    sayFigures('quiet', other.since(startedAt));

    const campaign = await stack.campaign(account, RECIPIENTS);
    const accepted = () => stack.simulator.ledger(account.phone.phoneNumberId);
    await until(`${ACCEPTED_BEFORE} are accepted`, async () => (await accepted()).length >= ACCEPTED_BEFORE);
    const injectedAt = Date.now();
    const held = stack.proxy.maxOpen;
    await inject(stack.proxy);
    const recoveredAt = Date.now();
    await pause(WATCHED_MS);
    const recent = () => other.since(injectedAt - 1000);
    const unhealed = await unanswered(recoveredAt, recent);
    await other.stop();
    const during = recent();
    sayFigures(`fault with ${held} connections`, during);

    const found = [...unhealed, ...badAnswers(during, { refusals }), ...notHealed(during, recoveredAt)];
    const areAccepted = async () => (await accepted()).length >= RECIPIENTS;
    await until('all are accepted', areAccepted, SURELY_HEALED_WITHIN_MS).catch(() => undefined);
    const times = (await accepted()).map(({ at }) => new Date(at).getTime());
    // While messages are missing, the standstill lasts until now.
    const standstill = longestStandstill(times.length < RECIPIENTS ? [...times, Date.now()] : times, recoveredAt);
    say(
      `  accepted: ${times.length} of ${RECIPIENTS}; longest standstill after the recovery ${(standstill / 1000).toFixed(1)} s`,
    );
    say(`  peak connections: ${stack.proxy.maxOpen}, log: ${Math.round(service.process.written / 1024)} KiB`);
    if (held > MAX_CONNECTIONS) found.push(`the process held ${held} connections`);
    if (times.length < RECIPIENTS) found.push(`the campaign is stuck at ${times.length} of ${RECIPIENTS}`);
    if (standstill > HEALED_WITHIN_MS && !IS_QUICK)
      found.push(`the campaign stood still for ${(standstill / 1000).toFixed(1)} s`);
    await other.reportTheRest();
    return [...found, ...(await new Books(stack).findings({ account, campaigns: [campaign] }, activityOf(other)))];
  } finally {
    await stack.stop();
  }
}

/** The longest time without an event after `since`, milliseconds. */
function longestStandstill(times: readonly number[], since: number): number {
  const sorted = times.filter((time) => time > since).sort((a, b) => a - b);
  return Math.max(0, ...sorted.map((time, index) => time - (sorted[index - 1] ?? since)));
}
