import type { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { Books, doingsOf } from './books.js';
import { FaultStack } from './fault-stack.js';
import { say, sayFigures } from './figures.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { disorder, HEALED_WITHIN_MS, notHealed } from './verdict.js';

const RECIPIENTS = 2000;
/** Messages per second of the campaign's phone: the fault falls into its middle. */
const THROUGHPUT = 150;
const ACCEPTED_BEFORE = 400;
const QUIET_MS = 4000;
/** How long the service is watched once the path is good again, milliseconds. */
const WATCHED_MS = 18_000;
/** What a process holds by default, queue and listener included. */
const MAX_CONNECTIONS = 20;
const FINISHED_WITHIN_MS = 30_000;

/** Something that happens to the path between Parley and PostgreSQL. */
export interface PathFault {
  /** Spoils the path; resolves as soon as new connections work as they should. */
  strike(proxy: TcpProxy): Promise<void> | void;
  /** Whether the service may refuse meanwhile. */
  readonly refusals: boolean;
}

/**
 * A campaign of one account, and sends, reports and lists of another, while something happens to the path to PostgreSQL.
 *
 * @returns what went wrong
 */
export async function strikeInMidCampaign({ strike, refusals }: PathFault): Promise<string[]> {
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
    await until(`${ACCEPTED_BEFORE} are accepted`, async () => (await accepted()).length >= ACCEPTED_BEFORE, 30_000);
    const struckAt = Date.now();
    const held = stack.proxy.maxOpen;
    await strike(stack.proxy);
    const mendedAt = Date.now();
    await pause(WATCHED_MS);
    await other.stop();
    const during = other.since(struckAt - 1000);
    sayFigures(`struck with ${held} connections`, during);

    const found = [...disorder(during, { refusals }), ...notHealed(during, mendedAt)];
    await until('all are accepted', async () => (await accepted()).length >= RECIPIENTS, FINISHED_WITHIN_MS).catch(
      () => undefined,
    );
    const times = (await accepted()).map(({ at }) => new Date(at).getTime());
    // As long as not all is sent, the standstill lasts until now.
    const standstill = longestStandstill(times.length < RECIPIENTS ? [...times, Date.now()] : times, mendedAt);
    say(
      `  accepted: ${times.length} of ${RECIPIENTS}; nothing for ${(standstill / 1000).toFixed(1)} s after the mending`,
    );
    say(`  connections at once: ${stack.proxy.maxOpen}, log: ${Math.round(service.process.written / 1024)} KiB`);
    if (held > MAX_CONNECTIONS) found.push(`the process held ${held} connections`);
    if (times.length < RECIPIENTS) found.push(`the campaign stands still at ${times.length} of ${RECIPIENTS}`);
    if (standstill > HEALED_WITHIN_MS) found.push(`the campaign stood still for ${(standstill / 1000).toFixed(1)} s`);
    await other.reportTheRest();
    return [...found, ...(await new Books(stack).findings({ account, campaigns: [campaign] }, doingsOf(other)))];
  } finally {
    await stack.stop();
  }
}

/** The longest time after `since` in which nothing happened. */
function longestStandstill(times: readonly number[], since: number): number {
  const sorted = times.filter((time) => time > since).sort((a, b) => a - b);
  return Math.max(0, ...sorted.map((time, index) => time - (sorted[index - 1] ?? since)));
}
