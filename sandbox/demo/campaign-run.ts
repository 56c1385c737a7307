import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignStatsResponse, Parley, WebhookEventName } from '../../clients/typescript/src/index.js';
import { CampaignFunnel, type FunnelStep, number } from '../../src/cli/campaign-funnel.js';
import { type CampaignState, watchCampaign } from '../../src/cli/campaign-watch.js';
import type { LedgerTotals, NetworkLedger } from './network-ledger.js';
import type { WebhookSubscriber } from './webhook-subscriber.js';

export const EVENTS = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
] satisfies WebhookEventName[];

// 447700900000 to 447700900999 are reserved by Ofcom for fiction and never assigned.
const FIRST_CONTACT = 447700900000;
const CONTACTS = 1000;
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dev', 'Elif', 'Finn', 'Gabi', 'Hugo', 'Ines', 'Jun'];
const TIMEOUT_MS = 60_000;

/** The final counts of Parley and of the network. */
export interface Outcome {
  readonly stats: CampaignStatsResponse;
  readonly ledger: LedgerTotals;
}

export function fakeContacts(): { phone: string; name: string }[] {
  return Array.from({ length: CONTACTS }, (_, index) => ({
    phone: String(FIRST_CONTACT + index),
    name: `${NAMES[index % NAMES.length]} Example`,
  }));
}

export async function untilApproved(parley: Parley, name: string): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(300)) {
    const { templates } = await parley.templates.list({ search: name });
    const status = templates.find((template) => template.name === name)?.status;
    if (status === 'APPROVED') return;
    if (status === 'REJECTED') throw new Error(`The network rejected the template ${name}.`);
  }
  throw new Error(`The template ${name} was not approved within ${TIMEOUT_MS / 1000} s.`);
}

/**
 * Draws the funnel until all messages and webhooks have arrived, or the timeout. Reads progress from the database
 * because the API key allows 100 requests a minute, too few for live counters. The final counts are read over HTTP.
 *
 * @param read returns the campaign's progress
 * @param signal stops early
 */
export async function watch(
  parley: Parley,
  network: NetworkLedger,
  campaignId: string,
  subscriber: WebhookSubscriber,
  read: () => Promise<CampaignState>,
  signal: AbortSignal,
): Promise<Outcome> {
  const received = (step: FunnelStep): number => subscriber.received(`message.${step}`);
  const hasWebhook = (step: FunnelStep): boolean => EVENTS.some((event) => event === `message.${step}`);
  const output = { isTerminal: process.stdout.isTTY, out: (text: string) => process.stdout.write(text) };
  const funnel = new CampaignFunnel(output, (step) =>
    hasWebhook(step) ? `webhooks ${number(received(step)).trim()}` : '',
  );
  const started = performance.now();
  await watchCampaign({
    read,
    draw: (state, final) => funnel.draw(state, performance.now() - started, final),
    isOver: (state) =>
      isDone(state) && (['sent', 'delivered', 'read'] as const).every((step) => received(step) === CONTACTS),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  return { stats: await parley.campaigns.stats(campaignId), ledger: await network.totals() };
}

/** Describes each difference between Parley, the network and the webhooks; empty when all three agree. */
export function disagreements({ stats, ledger }: Outcome, subscriber: WebhookSubscriber): string[] {
  const expected: [string, number, number][] = [
    ['messages in the network’s ledger', ledger.total, CONTACTS],
    ['unique messages in the ledger', ledger.distinct, CONTACTS],
    ['unique recipients in the ledger', ledger.recipients, CONTACTS],
    ['Parley’s sent count', stats.sent_count, CONTACTS],
    ['Parley’s delivered count', stats.delivered_count, CONTACTS],
    ['Parley’s read count', stats.read_count, CONTACTS],
    ['Parley’s failed count', stats.failed_count, 0],
    ['message.sent webhooks', subscriber.received('message.sent'), CONTACTS],
    ['message.delivered webhooks', subscriber.received('message.delivered'), CONTACTS],
    ['message.read webhooks', subscriber.received('message.read'), CONTACTS],
    ['message.failed webhooks', subscriber.received('message.failed'), 0],
    ['webhooks with an invalid signature', subscriber.forged, 0],
  ];
  const found = expected.flatMap(([name, actual, target]) =>
    actual === target ? [] : [`${name}: ${actual}, expected ${target}`],
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
