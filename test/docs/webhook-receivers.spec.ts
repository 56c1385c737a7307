import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newRecordId } from '../../src/values/record-id.js';
import { deliveryHeaders } from '../../src/webhooks/delivery/webhook-signature.js';
import { ROOT, temporaryDirectory } from '../sandbox/program.js';
import { isInstalled, outputOf } from '../support/commands.js';
import { freePort } from '../support/free-port.js';
import { RawConnection } from '../support/raw-connection.js';
import { Hopeless, until } from '../support/until.js';
import { Document } from './document.js';
import { HOSTILE_REQUESTS, slowRequests } from './hostile-requests.js';

const SECRET = 'whsec_VGhpcyBrZXkgaXMgYW4gZXhhbXBsZSBvbmx5Lg==';
const SLOW_REQUESTS = 60;
const REPETITIONS = 10;

interface Receiver {
  readonly name: string;
  /** The language of its code on the page; null: `examples/webhook-subscriber.mjs`. */
  readonly fence: string | null;
  readonly version: readonly [command: string, ...args: string[]];
  /** File names of the two blocks. */
  readonly files: readonly string[];
  readonly extra?: Readonly<Record<string, string>>;
  readonly build?: readonly [command: string, ...args: string[]];
  readonly run: (port: number) => readonly [command: string, ...args: string[]];
  /** Whether it ends slow requests itself; else the web server in front of it does. */
  readonly endsSlowRequests: boolean;
}

const RECEIVERS: readonly Receiver[] = [
  {
    name: 'examples/webhook-subscriber.mjs',
    fence: null,
    version: [process.execPath, '--version'],
    files: [],
    run: () => [process.execPath, path.join(ROOT, 'examples/webhook-subscriber.mjs')],
    endsSlowRequests: true,
  },
  {
    name: 'Node',
    fence: 'js',
    version: [process.execPath, '--version'],
    files: ['webhook.mjs', 'receiver.mjs'],
    run: () => [process.execPath, 'receiver.mjs'],
    endsSlowRequests: true,
  },
  {
    name: 'Python',
    fence: 'python',
    version: ['python3', '--version'],
    files: ['webhook.py', 'receiver.py'],
    run: () => ['python3', 'receiver.py'],
    endsSlowRequests: true,
  },
  {
    name: 'PHP',
    fence: 'php',
    version: ['php', '--version'],
    files: ['webhook.php', 'receiver.php'],
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    endsSlowRequests: false,
  },
  {
    name: 'Go',
    fence: 'go',
    version: ['go', 'version'],
    files: ['webhook/webhook.go', 'main.go'],
    extra: { 'go.mod': 'module example.com/receiver\n\ngo 1.19\n' },
    build: ['go', 'build', '-o', 'receiver', '.'],
    run: () => ['./receiver'],
    endsSlowRequests: true,
  },
];

const installed = RECEIVERS.filter(({ version: [command, ...args] }) => isInstalled(command, args));
const namesOf = (receivers: readonly Receiver[]) => receivers.map(({ name }) => name).join(', ') || 'none';
const missing = RECEIVERS.filter((receiver) => !installed.includes(receiver));

async function listens(baseUrl: string): Promise<boolean> {
  try {
    (await RawConnection.open(baseUrl)).drop();
    return true;
  } catch {
    return false;
  }
}

describe.each(installed)(`the receiver of $name (not installed: ${namesOf(missing)})`, (receiver) => {
  const home = temporaryDirectory();
  const store = path.join(home, 'store');
  let child: ChildProcess;
  let baseUrl: string;
  let output = '';
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  beforeAll(async () => {
    mkdirSync(store);
    const blocks = receiver.fence === null ? [] : new Document('webhooks.md').blocks(receiver.fence);
    const code = Object.fromEntries(receiver.files.map((file, index) => [file, blocks[index] ?? '']));
    for (const [file, content] of Object.entries({ ...receiver.extra, ...code })) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), content);
    }
    if (receiver.build) outputOf(receiver.build[0], receiver.build.slice(1), { cwd: home });
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    const [command, ...args] = receiver.run(port);
    const settings = { WEBHOOK_SECRET: SECRET, PORT: `${port}`, SUBSCRIBER_PORT: `${port}`, WEBHOOK_DIRECTORY: store };
    child = spawn(command, args, { cwd: home, env: { ...process.env, ...settings } });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    await until('the receiver listens', () => {
      if (hasEnded()) throw new Hopeless(`it has ended: ${output}`);
      return listens(baseUrl);
    });
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await until('the receiver has ended', hasEnded);
    rmSync(home, { recursive: true, force: true });
  });

  /** A delivery as Parley makes it, of an event with this name, several times at once. */
  async function deliver(event: string, times = 1): Promise<number[]> {
    const body = Buffer.from(JSON.stringify({ event, message: { message_id: event, content: 'Grüße 👋' } }));
    const headers = deliveryHeaders(newRecordId(), new Date(), body, { current: SECRET, replaced: [] });
    const requests = Array.from({ length: times }, () => fetch(baseUrl, { method: 'POST', headers, body }));
    return (await Promise.all(requests)).map(({ status }) => status);
  }

  /** How often an event was processed. */
  async function timesProcessed(event: string): Promise<number> {
    if (receiver.fence === null)
      return Number(((await (await fetch(baseUrl)).json()) as Record<string, number>)[event] ?? 0);
    if (receiver.fence === 'php') {
      return readdirSync(store).filter((name) => readFileSync(path.join(store, name), 'utf8').includes(`"${event}"`))
        .length;
    }
    return output.split('\n').filter((line) => line.includes('processed') && line.endsWith(` ${event}`)).length;
  }

  async function expectItWorks(event: string): Promise<void> {
    expect(await deliver(event)).toEqual([204]);
    await until('the delivery is processed', async () => (await timesProcessed(event)) >= 1);
    expect(await timesProcessed(event)).toBe(1);
    expect(hasEnded()).toBe(false);
  }

  it.each(Object.entries(HOSTILE_REQUESTS))('goes on after %s requests', async (kind, make) => {
    await make(baseUrl, SECRET);
    await expectItWorks(`after.${kind}`);
  });

  it('processes what is repeated once', async () => {
    expect(await deliver('repeated', REPETITIONS)).toEqual(Array(REPETITIONS).fill(204));
    await expectItWorks('after.repeated');
    expect(await timesProcessed('repeated')).toBe(1);
  });

  it('answers beside slow requests, and ends them', async () => {
    const slow = await slowRequests(baseUrl, SLOW_REQUESTS);
    await expectItWorks('beside.slow');
    if (receiver.endsSlowRequests) await until('they are ended', () => slow.every(({ closed }) => closed));
    for (const each of slow) each.drop();
    await expectItWorks('after.slow');
  });
});
