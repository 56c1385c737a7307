import { TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { activityOf, Books } from './books.js';
import { FaultStack } from './fault-stack.js';
import { say, sayFigures } from './figures.js';
import { refuse } from './path-faults.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { badAnswers, heldUp, unanswered } from './verdict.js';

const QUIET_MS = 3000;
const AWAY_MS = 8000;
const RECIPIENTS = 600;
const THROUGHPUT = 100;
const ACCEPTED_BEFORE = 50;

/** Ways in which Redis becomes unavailable. */
export const ABSENCES = {
  'hangs, including new connections': (proxy: TcpProxy) => proxy.silence({ newConnections: 'hang' }),
  'refuses connections': refuse,
  'falls silent on existing connections': (proxy: TcpProxy) => proxy.silence({ newConnections: 'work' }),
} as const;
export type Absence = keyof typeof ABSENCES;

/**
 * Makes Redis unavailable for some seconds during a campaign and the traffic of another account, and then once more
 * while the service shuts down.
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
    await until('the campaign is running', async () => (await accepted()) >= ACCEPTED_BEFORE);
    const awayFrom = Date.now();
    ABSENCES[absence](proxy);
    await pause(AWAY_MS);
    // Readiness is left out: a process without its queue may report either.
    const recent = () => other.since(awayFrom).filter(({ kind }) => kind !== 'ready');
    const held = await unanswered(awayFrom, recent);
    const away = recent();
    await proxy.heal();
    await other.stop();
    sayFigures(`Redis ${absence}`, away);
    const found = [...held, ...badAnswers(away, { refusals: false }), ...heldUp(quiet, away)];
    await until('all are accepted', async () => (await accepted()) >= RECIPIENTS).catch(async () =>
      found.push(`the campaign is stuck at ${await accepted()} of ${RECIPIENTS}`),
    );
    await other.reportTheRest();
    found.push(...(await new Books(stack).findings(activityOf(other), { account: sender, campaigns: [campaign] })));

    ABSENCES[absence](proxy);
    const signalledAt = Date.now();
    service.process.signal('SIGTERM');
    const ended = await service.process.ends();
    if (ended === undefined) return [...found, 'SIGTERM has not ended it'];
    say(`  ended ${((ended.at - signalledAt) / 1000).toFixed(1)} s after SIGTERM with ${ended.how}`);
    return ended.how === 0 ? found : [...found, `SIGTERM ended it with ${ended.how}`];
  } finally {
    await stack.stop();
    await proxy.stop();
    await redis.stop();
  }
}
