import { TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { Books, doingsOf } from './books.js';
import { FaultStack } from './fault-stack.js';
import { say, sayFigures } from './figures.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { disorder, heldUp } from './verdict.js';

const QUIET_MS = 3000;
const AWAY_MS = 8000;
const RECIPIENTS = 600;
const THROUGHPUT = 100;
const ACCEPTED_BEFORE = 50;
/** A campaign may wait for the queue, and goes on so soon after it is back, milliseconds. */
const FINISHED_WITHIN_MS = 30_000;
/** Whatever is away, a process ends so soon, milliseconds. */
const ENDS_WITHIN_MS = 30_000;

/** How Redis goes away. */
export const ABSENCES = {
  'hangs, new connections too': (proxy: TcpProxy) => proxy.silence({ newConnections: 'hang' }),
  'refuses connections': (proxy: TcpProxy) => {
    proxy.refuse();
    proxy.cut('reset');
  },
  'falls silent on the connections that there are': (proxy: TcpProxy) => proxy.silence({ newConnections: 'work' }),
} as const;
export type Absence = keyof typeof ABSENCES;

/**
 * Redis goes away for some seconds while a campaign runs and another account does what it usually does; then once more, and
 * the service is told to end.
 *
 * @returns what went wrong
 */
export async function loseRedis(absence: Absence): Promise<string[]> {
  const redis = await TestRedis.start();
  const proxy = await TcpProxy.start(redis.url);
  const stack = await FaultStack.start({ REDIS_URL: proxy.through(redis.url) });
  try {
    const service = await stack.mainService();
    const sender = await stack.account(service, { throughput: THROUGHPUT });
    const other = await Traffic.prepare(stack, service, await stack.account(service), { reports: 130 });
    const quietFrom = other.start();
    await pause(QUIET_MS);
    const quiet = other.since(quietFrom);
    sayFigures('quiet', quiet);

    const campaign = await stack.campaign(sender, RECIPIENTS);
    const accepted = async () => (await stack.simulator.ledger(sender.phone.phoneNumberId)).length;
    await until('the campaign is under way', async () => (await accepted()) >= ACCEPTED_BEFORE);
    const awayFrom = Date.now();
    ABSENCES[absence](proxy);
    await pause(AWAY_MS);
    // Whether a process without its queue is ready is its own affair.
    const away = other.since(awayFrom).filter(({ kind }) => kind !== 'ready');
    await proxy.heal();
    await other.stop();
    sayFigures(`Redis ${absence}`, away);
    const found = [...disorder(away, { refusals: false }), ...heldUp(quiet, away)];
    await until('all are accepted', async () => (await accepted()) >= RECIPIENTS, FINISHED_WITHIN_MS).catch(async () =>
      found.push(`the campaign stands still at ${await accepted()} of ${RECIPIENTS}`),
    );
    await other.reportTheRest();
    found.push(...(await new Books(stack).findings(doingsOf(other), { account: sender, campaigns: [campaign] })));

    ABSENCES[absence](proxy);
    const toldAt = Date.now();
    service.process.signal('SIGTERM');
    const ended = await Promise.race([service.process.exit, pause(ENDS_WITHIN_MS)]);
    if (ended === undefined) return [...found, `SIGTERM has not ended it within ${ENDS_WITHIN_MS / 1000} s`];
    say(`  ended ${((ended.at - toldAt) / 1000).toFixed(1)} s after SIGTERM with ${ended.how}`);
    return ended.how === 0 ? found : [...found, `SIGTERM ended it with ${ended.how}`];
  } finally {
    await stack.stop();
    await proxy.stop();
    await redis.stop();
  }
}
