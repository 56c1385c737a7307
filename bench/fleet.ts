import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Campaign } from '../src/campaigns/campaign.entity.js';
import { fleetFigures, type PhoneRun } from './support/arrivals.js';
import { storeTemplate } from './support/campaign-run.js';
import { show } from './support/figures.js';
import { FleetFloor } from './support/fleet-floor.js';
import { type Cohort, cohortsOf, isScenario, SCENARIOS, type Scenario } from './support/fleet-scenarios.js';
import { inFlight } from './support/load.js';
import { type ProcessorTime, ProcessorTimeSpent, type ProcessTree, processorTime } from './support/processor-time.js';
import { Sink } from './support/sink.js';
import { authorizationOf, type BenchAccount, type BenchPhone, post, Stack } from './support/stack.js';

// Many concurrent campaigns, one per phone: measures how soon each starts, how evenly they progress, whether each phone
// stays within its throughput, and the CPU time. Runs one API process and WORKERS workers against a separate network
// process, which records the arrival of each message. `npm run bench -- fleet many` runs one scenario, and
// FLEET_SCALE=0.1 a tenth of the load.

const WORKERS = Number(process.env['WORKERS'] ?? 2);
/** Rounds per scenario, each with new campaigns. In the first one the processes are still cold. */
const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? 2);
const SCALE = Number(process.env['FLEET_SCALE'] ?? 1);
/** Time limit of a scenario in seconds, from its first send; later messages are not counted. */
const LIMIT_S = Number(process.env['FLEET_LIMIT'] ?? 60);
const CONCURRENT_SENDS = 32;
const CONCURRENT_SETUPS = 8;
const FIRST_CONTACT = 4_915_100_000_000;

/** A campaign that is ready to send. */
interface PlannedCampaign {
  readonly cohort: Cohort;
  readonly account: BenchAccount;
  readonly phone: BenchPhone;
  readonly id: string;
}

async function bench(scenario: Scenario): Promise<void> {
  const sink = await Sink.start();
  const stack = await Stack.start({ NETWORK_BASE_URL: sink.url }, { workers: WORKERS });
  try {
    const cohorts = cohortsOf(scenario, SCALE);
    console.log(`${scenario}: an API process and ${WORKERS} workers, at most ${LIMIT_S} s`);
    const rounds: PlannedCampaign[][] = Array.from({ length: ROUNDS }, () => []);
    for (const cohort of cohorts) {
      const senders = await createSenders(stack, sink, cohort);
      for (const [index, round] of rounds.entries())
        round.push(...(await createCampaigns(stack, cohort, senders, index)));
    }
    if (scenario === 'many') for (const cohort of cohorts) await runFloor(stack, sink, cohort, rounds[0] ?? []);
    for (const [index, round] of rounds.entries()) {
      console.log(index === 0 ? '  cold processes:' : '  warm processes:');
      await runFleet(stack, sink, round);
    }
  } finally {
    await stack.stop();
    sink.stop();
  }
}

interface Sender {
  readonly account: BenchAccount;
  readonly phone: BenchPhone;
}

/** Creates the tenants and phones of a cohort. */
async function createSenders(stack: Stack, sink: Sink, cohort: Cohort): Promise<Sender[]> {
  const { phones, tenants, throughput, responseDelayMs } = cohort;
  const senders: Sender[] = [];
  await each(tenants, async (tenant) => {
    const account = await stack.account(throughput);
    await storeTemplate(stack, account, 'bench');
    senders.push({ account, phone: account });
    for (let place = tenant + tenants; place < phones; place += tenants) {
      senders.push({ account, phone: await stack.phone(account, throughput) });
    }
  });
  if (responseDelayMs > 0) {
    const ids = senders.map(({ phone }) => phone.phoneNumberId);
    await sink.delay(ids, responseDelayMs);
  }
  return senders;
}

/** Creates the campaigns of one round, each with its own contacts. */
async function createCampaigns(
  stack: Stack,
  cohort: Cohort,
  senders: readonly Sender[],
  round: number,
): Promise<PlannedCampaign[]> {
  const { recipients } = cohort;
  const planned: PlannedCampaign[] = [];
  await each(senders.length, async (index) => {
    const sender = senders[index];
    if (sender === undefined) return;
    const { account, phone } = sender;
    const first = FIRST_CONTACT + (round * senders.length + index) * recipients;
    const contacts = Array.from({ length: recipients }, (_, place) => ({ phone: String(first + place) }));
    const body = { name: 'Bench', template_name: 'bench', waba_phone_id: phone.businessPhoneId, contacts };
    const headers = authorizationOf(account);
    const created = (await post(`${stack.baseUrl}/api/v1/campaigns/`, body, headers)) as { campaign_id: string };
    planned.push({ cohort, account, phone, id: created.campaign_id });
  });
  return planned;
}

/** Sends the same messages through the floor. */
async function runFloor(
  stack: Stack,
  sink: Sink,
  cohort: Cohort,
  campaigns: readonly PlannedCampaign[],
): Promise<void> {
  const floor = await FleetFloor.start(stack.databaseUrl, sink.url);
  try {
    const phoneNumberIds = campaigns.map(({ phone }) => phone.phoneNumberId);
    await floor.prepare({ phoneNumberIds, throughput: cohort.throughput, recipients: cohort.recipients });
    const trees = [...treesOf(stack, sink), { name: 'floor', pid: floor.pid }];
    await sink.reset();
    const before = await processorTime(trees);
    const startedAt = Date.now();
    await floor.send();
    const after = await processorTime(trees);
    const arrivals = await sink.arrivals();
    const runs = phoneNumberIds.map((id) => ({ ...cohort, startedAt, arrivals: arrivals.get(id) ?? [] }));
    printFigures('floor', cohort, runs, Date.now() - startedAt);
    printProcessorTime(before, after, runs);
  } finally {
    floor.stop();
  }
}

/** Sends all campaigns, and waits until they are completed or the time is up. */
async function runFleet(stack: Stack, sink: Sink, campaigns: readonly PlannedCampaign[]): Promise<void> {
  const trees = treesOf(stack, sink);
  const acceptedAt = new Map<string, number>();
  let failed = 0;
  await sink.reset();
  const before = await processorTime(trees);
  const began = Date.now();
  const sends = inFlight({ connections: CONCURRENT_SENDS, requests: campaigns.length }, async (index) => {
    const campaign = campaigns[index];
    if (campaign === undefined || isOver(began)) return false;
    try {
      await post(`${stack.baseUrl}/api/v1/campaigns/${campaign.id}/send`, {}, authorizationOf(campaign.account));
      acceptedAt.set(campaign.id, Date.now());
      return true;
    } catch (error) {
      if (failed === 0) console.log(`  ${(error as Error).message}`);
      failed += 1;
      return false;
    }
  });
  const completed = sends.then(() => untilCompleted(stack, sink, campaigns, began));
  await Promise.race([completed, sleep(LIMIT_S * 1000, undefined, { ref: false })]);
  const after = await processorTime(trees);
  const lastedMs = Date.now() - began;
  const arrivals = await sink.arrivals();
  const runOf = ({ cohort, id, phone }: PlannedCampaign): PhoneRun[] => {
    const startedAt = acceptedAt.get(id);
    return startedAt === undefined ? [] : [{ ...cohort, startedAt, arrivals: arrivals.get(phone.phoneNumberId) ?? [] }];
  };
  for (const cohort of new Set(campaigns.map((campaign) => campaign.cohort))) {
    printFigures(
      cohort.name,
      cohort,
      campaigns.filter((campaign) => campaign.cohort === cohort).flatMap(runOf),
      lastedMs,
    );
  }
  printProcessorTime(before, after, campaigns.flatMap(runOf));
  if (acceptedAt.size < campaigns.length) {
    show('sends', { accepted: acceptedAt.size, failed, 'not posted': campaigns.length - acceptedAt.size - failed });
  }
}

/** Waits until all messages have arrived and all campaigns are completed. */
async function untilCompleted(
  stack: Stack,
  sink: Sink,
  campaigns: readonly PlannedCampaign[],
  began: number,
): Promise<void> {
  const expected = campaigns.reduce((sum, { cohort }) => sum + cohort.recipients, 0);
  while ((await sink.count()).messages < expected && !isOver(began)) await sleep(50);
  const running = () => stack.unitOfWork.autocommit.manager.countBy(Campaign, { status: 'running' });
  while (!isOver(began) && (await running()) > 0) await sleep(100);
}

const isOver = (began: number): boolean => Date.now() - began > LIMIT_S * 1000;

function printFigures(name: string, cohort: Cohort, runs: readonly PhoneRun[], lastedMs: number): void {
  if (runs.length === 0) return;
  const figures = fleetFigures(runs, lastedMs);
  const { throughput, recipients } = cohort;
  const messages = `${figures.messages.toLocaleString('en-US')} of ${(runs.length * recipients).toLocaleString('en-US')}`;
  show(`${name}: ${runs.length} × ${throughput}/s × ${recipients}`, {
    'first message ms median': shown(figures.firstMs.median),
    p95: shown(figures.firstMs.p95),
    max: shown(figures.firstMs.max),
    'done ms': `${shown(figures.doneMs)} (at full throughput ${shown(((recipients - 1) / throughput) * 1000)})`,
  });
  show('', {
    messages,
    'per second': shown(figures.perSecond),
    fairness: figures.fairness.toFixed(3),
    'busiest second %': shown(100 * figures.busiest),
    'phones over limit': figures.phonesOver,
  });
}

/** Prints microseconds per message that arrived. */
function printProcessorTime(before: ProcessorTime, after: ProcessorTime, runs: readonly PhoneRun[]): void {
  const messages = runs.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
  if (messages === 0) return;
  const spent = new ProcessorTimeSpent();
  spent.add(before, after);
  show('  CPU µs per message', spent.perItem(messages / 1000));
}

/** The processes to measure, with the API process and the workers counted together. */
function treesOf(stack: Stack, sink: Sink): ProcessTree[] {
  const trees = stack.processes.map(({ name, pid }) => ({
    name: /^(service|worker)/.test(name) ? 'services' : name,
    pid,
  }));
  return [...trees, { name: 'sink', pid: sink.pid }];
}

const shown = (figure: number): string =>
  Number.isFinite(figure) ? Math.round(figure).toLocaleString('en-US') : 'never';

/** Runs `work` `count` times, a few calls concurrently; stops at the first failure. */
async function each(count: number, work: (index: number) => Promise<void>): Promise<void> {
  await inFlight({ connections: CONCURRENT_SETUPS, requests: count }, async (index) => {
    await work(index);
    return true;
  });
}

const selected = process.argv.slice(2);
const unknown = selected.find((name) => !isScenario(name));
if (unknown !== undefined) {
  console.error(`fleet has no scenario "${unknown}". Use one of: ${SCENARIOS.join(', ')}`);
  process.exit(2);
}
for (const scenario of selected.length > 0 ? selected.filter(isScenario) : SCENARIOS) await bench(scenario);
