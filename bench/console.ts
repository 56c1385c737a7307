import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleSizes } from './support/console-sizes.js';
import { median, quantile, show } from './support/figures.js';
import { processorTime } from './support/processor-time.js';
import { COOKIE, ShownInbox } from './support/shown-inbox.js';
import { Stack } from './support/stack.js';
import { WatchedCampaigns } from './support/watched-campaigns.js';
import { WatchedInboxes } from './support/watched-inboxes.js';
import { signIn, Watcher } from './support/watcher.js';

// What the console costs. `npm run bench -- console watching` runs one scenario: `watching` measures open streams while
// campaigns run, and how far they are behind the network; `inbox` the same while customers write; `screen` what scrolling a
// large inbox costs a browser, and when a message is drawn; `stop` a stop with many open streams beside one without; `start`
// a first start with the console beside one without; `size` what browsers load. Each prints its limit.

const SECOND = 1000;
const KB = 1024;
/** Rounds of each kind, in an order that gives none of them the warmer processes. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 100);
/** What a process takes, and what it takes of an account. */
const STREAMS = 500;
const STREAMS_OF_ACCOUNT = 50;
/** Accounts that a crowd watches beside its owner: twice as many fit, so that those of the last round may still close. */
const CROWDED = 5;
const CROWD = 20;
/** Customers of an account who have written. */
const CUSTOMERS = 60;
/** After a change, until a measurement begins, in seconds. */
const SETTLE_S = 2;
const WARM_UP_S = Number(process.env['BENCH_SETTLE_S'] ?? 20);
/** Opening and closing streams, in seconds a round. */
const CHANGE_S = 6;
/** Campaigns go on for longer than planned: a machine may be busy. */
const MARGIN = 2;

/** The inbox on a screen: open conversations, messages of the open one, and steps of the wheel. */
const SHOWN = { conversations: 100_000, messages: 10_000 };
const STEPS = 200;
const STEP_PIXELS = 300;
const ARRIVALS = 30;

const MAX_STEP_MS = 20;
const MAX_STREAMS_PERCENT = 5;
const MAX_LAG_MS = SECOND;
const MAX_STOP_MS = SECOND;
const MAX_START_MS = 3 * SECOND;
const MAX_FIRST_LOAD = 120 * KB;
const MAX_SCREEN = 20 * KB;

const KINDS = ['nobody', 'one each', 'a crowd'] as const;
type Kind = (typeof KINDS)[number];

const percent = (share: number): string => `${share.toFixed(1)} %`;
const kilobytes = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`;
/** A limit in words, and how much of it is used. */
const used = (value: number, limit: number, text: string): string =>
  `${text}, of which ${Math.round((100 * value) / limit)} % are used`;

/** Processor time of the service and PostgreSQL while 100 campaigns run, with streams and without. */
async function watching(): Promise<void> {
  const more = CROWDED * CROWD;
  const planned = WARM_UP_S + ROUNDS * KINDS.length * (SECONDS + SETTLE_S + CHANGE_S);
  console.log(
    `watching: ${ACCOUNTS} accounts, each sends a message a second; ${ROUNDS} rounds of ${SECONDS} s of each kind`,
  );
  const stack = await Stack.start();
  try {
    await stack.simulate('behaviour', { review_delay_ms: 0 });
    const campaigns = await WatchedCampaigns.start(stack, ACCOUNTS, MARGIN * planned, {
      crowded: CROWDED,
      crowd: CROWD,
    });
    await sleep(WARM_UP_S * SECOND);
    const spent = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
        if (kind !== 'nobody') await campaigns.watch(kind === 'a crowd');
        await sleep(SETTLE_S * SECOND);
        spent.get(kind)?.push(await percentOfCore(stack));
        if (kind !== 'nobody') await campaigns.unwatch();
      }
    }
    await campaigns.requireRunning();
    const [without = 0, each = 0, crowded = 0] = KINDS.map((kind) => median(spent.get(kind) ?? []));
    const added = each - without;
    const rounds = (kind: Kind): string => (spent.get(kind) ?? []).map((share) => share.toFixed(1)).join(' ');
    show('service and PostgreSQL', {
      'without streams': `${percent(without)} (${rounds('nobody')})`,
      [`${ACCOUNTS} streams`]: `${percent(each)} (${rounds('one each')})`,
      [`${ACCOUNTS + more} streams`]: `${percent(crowded)} (${rounds('a crowd')})`,
    });
    show('the streams', {
      'of a core': percent(added),
      limit: used(added, MAX_STREAMS_PERCENT, percent(MAX_STREAMS_PERCENT)),
    });
    show(`${more} more of the same`, { 'of a core': percent(crowded - each) });
    const lags = await campaigns.lags();
    show('behind the network', {
      'p50 ms': quantile(lags, 0.5),
      'p99 ms': quantile(lags, 0.99),
      'max ms': Math.max(...lags),
      messages: lags.length,
      limit: used(quantile(lags, 0.99), MAX_LAG_MS, `${MAX_LAG_MS} ms`),
    });
  } finally {
    await stack.stop();
  }
}

async function percentOfCore({ processes }: Stack): Promise<number> {
  const measured = processes.filter(({ name }) => name === 'service' || name === 'postgres');
  const [from, before] = [performance.now(), await processorTime(measured)];
  await sleep(SECONDS * SECOND);
  const after = await processorTime(measured);
  const spent = [...after].reduce((sum, [name, seconds]) => sum + seconds - (before.get(name) ?? 0), 0);
  return (100 * SECOND * spent) / (performance.now() - from);
}

/** Processor time while customers of 100 accounts write, with pages of the inbox and without, and how soon they appear. */
async function inbox(): Promise<void> {
  console.log(
    `inbox: ${ACCOUNTS} accounts, each gets a message a second; ${ROUNDS} rounds of ${SECONDS} s with a page each and without`,
  );
  const stack = await Stack.start();
  try {
    const inboxes = await WatchedInboxes.start(stack, ACCOUNTS, CUSTOMERS);
    inboxes.beginWriting();
    await sleep(WARM_UP_S * SECOND);
    const [bare, watched]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const isWatched of round % 2 === 0 ? [false, true] : [true, false]) {
        if (isWatched) await inboxes.watch();
        await sleep(SETTLE_S * SECOND);
        (isWatched ? watched : bare).push(await percentOfCore(stack));
        if (isWatched) await inboxes.unwatch();
      }
    }
    await inboxes.endWriting();
    const [floor, ours] = [median(bare), median(watched)];
    show('service and PostgreSQL', { 'without pages': percent(floor), [`${ACCOUNTS} pages`]: percent(ours) });
    show('the pages', {
      'of a core': percent(ours - floor),
      'ms of a processor per message': ((10 * (ours - floor)) / ACCOUNTS).toFixed(2),
    });
    for (const [name, lags] of Object.entries(inboxes.lags())) {
      show(`behind the callback, in the ${name}`, {
        'p50 ms': quantile(lags, 0.5),
        'p99 ms': quantile(lags, 0.99),
        'max ms': Math.max(...lags),
        messages: lags.length,
        limit: used(quantile(lags, 0.99), MAX_LAG_MS, `${MAX_LAG_MS} ms`),
      });
    }
  } finally {
    await stack.stop();
  }
}

/** What each step of the wheel costs the main thread of a browser, and when a customer’s message is drawn. */
async function screen(): Promise<void> {
  const { conversations, messages } = SHOWN;
  console.log(`screen: ${conversations} open conversations, ${messages} messages in the open one; ${STEPS} steps each`);
  const stack = await Stack.start({ SESSION_COOKIE: COOKIE });
  try {
    const inbox = await ShownInbox.open(stack, SHOWN);
    try {
      const stepCosts = {
        'no step': await inbox.scroll('list', 0, STEPS),
        'the list, a step': await inbox.scroll('list', STEP_PIXELS, STEPS),
        'the thread, a step': await inbox.scroll('thread', -STEP_PIXELS, STEPS),
      };
      for (const [name, costs] of Object.entries(stepCosts)) {
        show(name, {
          'p50 ms': quantile(costs, 0.5).toFixed(1),
          'p95 ms': quantile(costs, 0.95).toFixed(1),
          'max ms': Math.max(...costs).toFixed(1),
          limit: used(quantile(costs, 0.5), MAX_STEP_MS, `${MAX_STEP_MS} ms`),
        });
      }
      for (const [name, lags] of Object.entries(await inbox.arrivals(ARRIVALS))) {
        show(`behind the callback, ${name}`, {
          'p50 ms': Math.round(quantile(lags, 0.5)),
          'max ms': Math.round(Math.max(...lags)),
          messages: lags.length,
          limit: used(Math.max(...lags), MAX_LAG_MS, `${MAX_LAG_MS} ms`),
        });
      }
    } finally {
      await inbox.stop();
    }
  } finally {
    await stack.stop();
  }
}

/** How long the service takes to stop, with open streams and without. */
async function stop(): Promise<void> {
  console.log(`stop: SIGTERM until the process has ended, ${ROUNDS} rounds of each`);
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const streams of [0, STREAMS]) (streams === 0 ? bare : ours).push(await stopWith(streams));
  }
  const [floor, ms] = [median(bare), median(ours)];
  show(`${STREAMS} streams`, {
    ms: Math.round(ms),
    'none, ms': Math.round(floor),
    ratio: (ms / floor).toFixed(2),
    'more ms': Math.round(ms - floor),
    limit: used(ms - floor, MAX_STOP_MS, `${MAX_STOP_MS} ms more`),
  });
}

async function stopWith(streams: number): Promise<number> {
  const stack = await Stack.start({ SHUTDOWN_GRACE_MS: '0' });
  try {
    const watchers: Watcher[] = [];
    while (watchers.length < streams) {
      const { accountId, ownerId } = await stack.account();
      const cookie = await signIn(stack, ownerId);
      for (let index = 0; index < STREAMS_OF_ACCOUNT; index += 1) {
        watchers.push(await Watcher.open(stack, { accountId, cookie, topics: ['badges', 'campaigns'] }));
      }
    }
    // Both kinds stop at the same age.
    await sleep(5 * SECOND);
    const ms = await stack.stopService();
    await Promise.all(watchers.map(({ ended }) => ended));
    const abrupt = watchers.filter(({ last }) => last !== 'reset').length;
    if (abrupt > 0) throw new Error(`${abrupt} of ${streams} streams ended without a reset`);
    return ms;
  } finally {
    await stack.stop();
  }
}

/** How much longer a first start takes with the console, which has to be bundled then. */
async function start(): Promise<void> {
  console.log(`start: a sandbox without data until it accepts requests, ${ROUNDS} rounds of each`);
  const [off, on, bundling]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    off.push(await firstStart({ CONSOLE: 'off' }));
    on.push(await firstStart({}));
    bundling.push(await bundle());
  }
  const [floor, ours, bundled] = [median(off), median(on), median(bundling)];
  show('first start', {
    ms: Math.round(ours),
    'CONSOLE=off, ms': Math.round(floor),
    ratio: (ours / floor).toFixed(2),
    'bundling, ms': Math.round(bundled),
  });
  const more = ours - floor + bundled;
  show('for the console', { ms: Math.round(more), limit: used(more, MAX_START_MS, `${MAX_START_MS} ms`) });
}

/** Starts and stops a sandbox; returns how long the start took, in milliseconds. */
async function firstStart(env: Record<string, string>): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const from = performance.now();
  const sandbox = spawn(process.execPath, ['scripts/start.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory, PORT: '0', ...env },
  });
  const ended = new Promise((resolve) => sandbox.once('exit', resolve));
  try {
    await new Promise<void>((resolve, reject) => {
      sandbox.stdout.on('data', (text: Buffer) => {
        if (text.includes('Parley is running')) resolve();
      });
      sandbox.once('exit', (code) => reject(new Error(`the sandbox exited with ${code}`)));
    });
    return performance.now() - from;
  } finally {
    sandbox.kill('SIGINT');
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

/** Bundles the console in a process of its own; returns how long it took, in milliseconds. */
async function bundle(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const program = `import { bundleConsole } from './scripts/console.mjs'; await bundleConsole(process.argv[1]);`;
  const from = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, directory], { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const ms = performance.now() - from;
  await rm(directory, { recursive: true, force: true });
  if (code !== 0) throw new Error(`bundling the console failed with ${String(code)}`);
  return ms;
}

/** What browsers load, compressed: at first, and for each screen. */
async function size(): Promise<void> {
  console.log('size: compressed, as browsers load it');
  const { first, screens } = consoleSizes();
  const line = (name: string, bytes: number, limit: number): void =>
    show(name, { bytes, limit: used(bytes, limit, kilobytes(limit)) });
  for (const [kind, bytes] of first) show(`  ${kind}`, { bytes });
  const sum = first.reduce((total, [, bytes]) => total + bytes, 0);
  line('first load', sum, MAX_FIRST_LOAD);
  for (const [name, bytes] of screens) line(`screen ${name}`, bytes, MAX_SCREEN);
}

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = { watching, inbox, screen, stop, start, size };
const selected = process.argv.slice(2);
const unknown = selected.find((name) => SCENARIOS[name] === undefined);
if (unknown !== undefined) {
  console.error(`console has no scenario "${unknown}". Use one of: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
for (const [name, run] of Object.entries(SCENARIOS)) {
  if (selected.length === 0 || selected.includes(name)) await run();
}
