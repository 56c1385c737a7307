import { Parley } from '../../clients/typescript/src/index.js';
import { readCampaign } from '../../src/cli/campaign-watch.js';
import { readCliSettings } from '../../src/cli/cli-settings.js';
import { Operator } from '../../src/cli/operator.js';
import { startSandbox } from '../main.js';
import type { SandboxFile } from '../sandbox-file.js';
import { disagreements, EVENTS, fakeContacts, totals, untilApproved, watch } from './campaign-run.js';
import { NetworkLedger } from './network-ledger.js';
import { WebhookSubscriber } from './webhook-subscriber.js';

const TEMPLATE = 'demo_spring_offer';
// Slow enough to watch, fast enough for a demo; the network allows 1,000 messages a second.
const MESSAGES_PER_SECOND = 400;
const REPORTS_PER_CALLBACK = 20;
/** The usual exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** Runs the demo in a data directory whose lock the caller holds; returns the exit code. */
export async function runDemo({ dataDir }: { readonly dataDir: string }): Promise<number> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interruption.abort());
  const interrupted = new Promise<number>((resolve) => {
    interruption.signal.addEventListener('abort', () => resolve(INTERRUPTED));
  });
  console.log('Starting PostgreSQL, the simulated network and Parley …');
  // The demo must not use a database or network configured in this shell.
  const environment = {
    ...process.env,
    ...{ PORT: '0', HOST: '', DATABASE_URL: '', DATABASE_URL_FILE: '', NETWORK_BASE_URL: '', PARLEY_ROLES: '' },
  };
  const { signal } = interruption;
  const sandbox = await startSandbox({ dataDir, environment, signal, throughput: MESSAGES_PER_SECOND }).catch(
    (error) => {
      if (!signal.aborted) throw error;
    },
  );
  if (!sandbox) return INTERRUPTED;
  const subscriber = await WebhookSubscriber.listen();
  const operator = await Operator.connect(readCliSettings({ DATA_DIR: dataDir }));
  try {
    return await Promise.race([play(sandbox.details, operator, subscriber, signal), interrupted]);
  } finally {
    await subscriber.close();
    await operator.disconnect();
    await sandbox.stop();
  }
}

async function play(
  sandbox: SandboxFile,
  { unitOfWork }: Operator,
  subscriber: WebhookSubscriber,
  signal: AbortSignal,
): Promise<number> {
  const parley = new Parley({ baseUrl: sandbox.base_url, apiKey: sandbox.api_key });
  const network = new NetworkLedger(sandbox);
  await network.batchCallbacks(REPORTS_PER_CALLBACK);
  await parley.webhooks.create({ url: subscriber.url, secret: subscriber.secret, subscribed_events: EVENTS });
  await parley.templates.create({
    name: TEMPLATE,
    category: 'MARKETING',
    language: 'en_US',
    body: { text: 'Hello {{1}}, your spring offer is waiting.', examples: { 1: 'Ada' } },
  });
  console.log(`Created the template ${TEMPLATE}; waiting for the network’s review …`);
  await untilApproved(parley, TEMPLATE);
  const contacts = fakeContacts();
  const { campaign_id: id } = await parley.campaigns.create({
    name: 'Spring offer',
    template_name: TEMPLATE,
    contacts,
    body_data: { 1: 'friend' },
  });
  console.log(
    `Approved. Sending to ${contacts.length} made-up contacts at ${MESSAGES_PER_SECOND} messages a second:\n`,
  );
  await parley.campaigns.send(id);
  const read = () => readCampaign(sandbox.account_id, id, unitOfWork.autocommit);
  const outcome = await watch(parley, network, id, subscriber, read, signal);
  console.log(`\n${totals(outcome, subscriber)}\n`);
  const wrong = disagreements(outcome, subscriber);
  if (wrong.length === 0) {
    console.log('All three agree: every contact got the message exactly once, and every step was reported.');
    return 0;
  }
  console.log(`The counts differ:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  return 1;
}
