import { setTimeout as sleep } from 'node:timers/promises';
import { CampaignFunnel, type FunnelStep, number } from '../../src/cli/campaign-funnel.js';
import { type CampaignState, watchCampaign } from '../../src/cli/campaign-watch.js';
import type { DemoApi, DemoStats, LedgerTotals } from './demo-api.js';
import type { WebhookSubscriber } from './webhook-subscriber.js';

export const EVENTS = ['message.sent', 'message.delivered', 'message.read', 'message.failed'];

// 447700900000 to 447700900999: numbers that Ofcom keeps for films, so that they ring nowhere.
const FIRST_CONTACT = 447700900000;
const CONTACTS = 1000;
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dev', 'Elif', 'Finn', 'Gabi', 'Hugo', 'Ines', 'Jun'];
const GIVE_UP_AFTER_MS = 60_000;

/** Where everything stands: what Parley counts, what the subscriber was told, and what the network says. */
export interface Outcome {
  readonly stats: DemoStats;
  readonly ledger: LedgerTotals;
}

export function madeUpContacts(): { phone: string; name: string }[] {
  return Array.from({ length: CONTACTS }, (_, index) => ({
    phone: String(FIRST_CONTACT + index),
    name: `${NAMES[index % NAMES.length]} Example`,
  }));
}

/** Waits until the network has approved the template. */
export async function untilApproved(api: DemoApi, name: string): Promise<void> {
  for (const deadline = Date.now() + GIVE_UP_AFTER_MS; Date.now() < deadline; await sleep(300)) {
    const status = await api.templateStatus(name);
    if (status === 'APPROVED') return;
    if (status === 'REJECTED') throw new Error(`The network rejected the template ${name}.`);
  }
  throw new Error(`The template ${name} was not approved within ${GIVE_UP_AFTER_MS / 1000} s.`);
}

/**
 * Draws the funnel until all has arrived everywhere, or nothing more is to be expected. It reads the tables as an operator
 * does: the key allows 100 requests a minute, too few for counters that move. What is compared in the end comes over HTTP.
 *
 * @param read how far the campaign has come
 * @param signal ends it early
 */
export async function watch(
  api: DemoApi,
  campaignId: string,
  subscriber: WebhookSubscriber,
  read: () => Promise<CampaignState>,
  signal: AbortSignal,
): Promise<Outcome> {
  const heard = (step: FunnelStep): number => subscriber.received(`message.${step}`);
  const isTold = (step: FunnelStep): boolean => EVENTS.includes(`message.${step}`);
  const output = { isTerminal: process.stdout.isTTY, out: (text: string) => process.stdout.write(text) };
  const funnel = new CampaignFunnel(output, (step) => (isTold(step) ? `webhooks ${number(heard(step)).trim()}` : ''));
  const started = performance.now();
  await watchCampaign({
    read,
    draw: (state, final) => funnel.draw(state, performance.now() - started, final),
    isOver: (state) =>
      isDone(state) && (['sent', 'delivered', 'read'] as const).every((step) => heard(step) === CONTACTS),
    signal: AbortSignal.any([signal, AbortSignal.timeout(GIVE_UP_AFTER_MS)]),
  });
  return { stats: await api.stats(campaignId), ledger: await api.ledger() };
}

/** What differs, in words; empty when all three agree. */
export function disagreements({ stats, ledger }: Outcome, subscriber: WebhookSubscriber): string[] {
  const expected: [string, number, number][] = [
    ['messages in the network’s ledger', ledger.total, CONTACTS],
    ['different messages in the ledger', ledger.distinct, CONTACTS],
    ['different recipients in the ledger', ledger.recipients, CONTACTS],
    ['sent by Parley’s count', stats.sent_count, CONTACTS],
    ['delivered by Parley’s count', stats.delivered_count, CONTACTS],
    ['read by Parley’s count', stats.read_count, CONTACTS],
    ['failed by Parley’s count', stats.failed_count, 0],
    ['webhooks message.sent', subscriber.received('message.sent'), CONTACTS],
    ['webhooks message.delivered', subscriber.received('message.delivered'), CONTACTS],
    ['webhooks message.read', subscriber.received('message.read'), CONTACTS],
    ['webhooks message.failed', subscriber.received('message.failed'), 0],
    ['webhooks with a wrong signature', subscriber.forged, 0],
  ];
  const found = expected.flatMap(([what, is, shouldBe]) =>
    is === shouldBe ? [] : [`${what}: ${is}, not ${shouldBe}`],
  );
  return stats.campaign_status === 'completed' ? found : [`the campaign is ${stats.campaign_status}`, ...found];
}

export function totals({ stats, ledger }: Outcome, subscriber: WebhookSubscriber): string {
  const row = (name: string, ours: number, network: number | undefined, event: string) =>
    `  ${name.padEnd(10)} ${number(ours)}     ${network === undefined ? '     –' : number(network)}       ${number(subscriber.received(event))}`;
  return [
    '             Parley    the network   signed webhooks',
    row('sent', stats.sent_count, ledger.total, 'message.sent'),
    row('delivered', stats.delivered_count, undefined, 'message.delivered'),
    row('read', stats.read_count, undefined, 'message.read'),
    row('failed', stats.failed_count, undefined, 'message.failed'),
  ].join('\n');
}

function isDone({ status, read, failed }: CampaignState): boolean {
  return status === 'completed' && read + failed >= CONTACTS;
}
