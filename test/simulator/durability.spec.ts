import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { transformSync } from '@swc/core';
import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { Hopeless, until } from '../support/until.js';
import { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, type LedgerBody, SimulatedNetwork } from './simulated-network.js';

const ROOT = process.cwd();

describe('the state of the simulated network', () => {
  let network: SimulatedNetwork;

  beforeEach(async () => {
    network = await SimulatedNetwork.start();
  });
  afterEach(() => network.stop());

  it('keeps ledger, phones, templates, media and windows across a restart', async () => {
    await network.approved('kept', [{ type: 'BODY', text: 'Hello' }]);
    await network.inbound(CUSTOMER);
    const handle = await network.handle('image/png');
    const ids = [
      await network.sendText(CUSTOMER, { biz_opaque_callback_data: 'ü1' }),
      await network.sendText(CUSTOMER),
    ];
    const before = await network.ledger();
    await network.restart();
    expect(await network.ledger()).toEqual(before);
    ids.push(await network.sendText(CUSTOMER), (await network.sendTemplate('kept')).body.messages[0]?.id ?? '');
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } };
    expect((await network.create('with_handle', [header, { type: 'BODY', text: 'Hello' }])).status).toBe(200);
    const { data } = await network.ledger(`?after=${ids[0]}`);
    expect(data.map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it('keeps user ids of senders and recipients across a restart', async () => {
    const hidden = 'DE.hidden1';
    await network.approved('kept', [{ type: 'BODY', text: 'Hello' }]);
    await network.sendTemplate('kept');
    await network.inbound(hidden);
    const text = { to: undefined, type: 'text', text: { body: 'x' } };
    const waiting = await atOneMoment(async () => {
      const id = await network.send({ ...text, recipient: hidden });
      const before = await network.ledger();
      await network.restart();
      expect(await network.ledger()).toEqual(before);
      return id;
    });
    await until('every report has come', () => network.receiver.statusesOf(waiting).length >= 3);
    const reports = network.receiver.statuses.filter(({ id }) => id === waiting);
    expect(reports.map(({ recipient_user_id }) => recipient_user_id)).toEqual([hidden, hidden, hidden]);
    await network.send({ ...text, recipient: hidden });
    expect((await network.post({ ...text, recipient: userIdOf(CUSTOMER) })).body.error.code).toBe(131047);
    expect((await network.post({ ...text, recipient: 'DE.nobody' })).body.error.code).toBe(131026);
  });

  it('returns to the default behaviour on a restart', async () => {
    await network.behave({ latency_ms: 5, drop_rate: 1 });
    await network.restart();
    expect((await network.call('GET', '/_sim/behaviour')).body).toMatchObject({ latency_ms: 0, drop_rate: 0 });
  });

  it('sends pending reports after a restart, and only those', async () => {
    await network.inbound(CUSTOMER);
    const done = await network.sendText(CUSTOMER);
    await until('every report has come', () => network.receiver.statusesOf(done).length >= 3);
    const waiting = await atOneMoment(async () => {
      const id = await network.sendText(CUSTOMER);
      await network.restart();
      return id;
    });
    await until('the others have come', () => network.receiver.statusesOf(waiting).length >= 3);
    expect(network.receiver.statusesOf(waiting)).toEqual(['sent', 'delivered', 'read']);
    expect(network.receiver.statusesOf(done)).toHaveLength(3);
  });

  it('repeats unanswered callbacks, and the customer still replies', async () => {
    network.receiver.answer = () => 503;
    const to = '49159990004';
    await network.inbound(to, { text: 'before' });
    await network.sendText(to);
    await until('reports have come', () => network.receiver.statuses.length >= 3);
    await network.restart();
    network.receiver.callbacks.length = 0;
    network.receiver.answer = () => 200;
    await until('both messages have come', () => network.receiver.messages.length >= 2);
    expect(network.receiver.messages.map(({ text }) => text?.body).sort()).toEqual(['before', 'hello']);
    // One callback is on its way at a time, so after this one the simulator knows that both were taken.
    await network.inbound(CUSTOMER);
    await network.restart();
    network.receiver.callbacks.length = 0;
    await network.inbound(CUSTOMER);
    expect(network.receiver.messages).toHaveLength(1);
  });

  it('decides reviews that fell due in between, but not manual ones', async () => {
    const [due, manual] = await atOneMoment(async () => {
      const { id } = (await network.create('due', [{ type: 'BODY', text: 'Hello' }])).body;
      await network.behave({ review: 'manual' });
      const other = (await network.create('manual', [{ type: 'BODY', text: 'Hello' }])).body.id;
      await network.restart();
      return [id, other] as const;
    });
    await until('it is approved', async () => (await network.statusOf(due)) === 'APPROVED');
    expect(await network.statusOf(manual)).toBe('PENDING');
  });

  it('drops a line truncated by a kill, and continues after it', async () => {
    await network.inbound(CUSTOMER);
    const first = await network.sendText(CUSTOMER);
    await network.restart();
    await appendFile(join(network.dataDir, 'ledger.jsonl'), '["wamid.torn","4915');
    await network.restart();
    const second = await network.sendText(CUSTOMER);
    expect((await network.ledger()).data.map(({ id }) => id)).toEqual([first, second]);
  });

  it('starts a new ledger after a reset, permanently', async () => {
    await network.inbound(CUSTOMER);
    const old = await network.sendText(CUSTOMER);
    await network.reset();
    await network.restart();
    expect(await network.ledger()).toEqual({ total: 0, distinct: 0, data: [] });
    expect((await network.call('GET', `/_sim/ledger?after=${old}`)).status).toBe(400);
  });
});

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
const hasEnded = ({ exitCode, signalCode }: Child): boolean => exitCode !== null || signalCode !== null;

describe('the process of the simulated network', () => {
  let directory: string;
  let receiver: CallbackReceiver;
  const children: Child[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simulator-process-'));
    compileInto(directory);
    receiver = await CallbackReceiver.start();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const child of children) await exitOf(child);
    await receiver.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const launch = (line: string): Child => {
    const child = spawn(process.execPath, [join(directory, 'simulator/main.js')], { stdio: 'pipe' });
    children.push(child);
    child.stdin.write(`${line}\n`);
    return child;
  };
  const start = async (more: object = {}): Promise<{ child: Child; url: string }> => {
    const phones = [{ phone_number_id: '1', waba_id: '2', display_phone_number: '3' }];
    const data = { port: 0, dataDir: join(directory, 'data'), callbackUrl: receiver.url, appSecret: 's', phones };
    const child = launch(JSON.stringify({ ...data, ...more }));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await until('it is ready', () => {
      if (!output.includes('\n') && hasEnded(child)) throw new Hopeless('it ended before it was ready');
      return output.includes('\n');
    });
    const { url, pid } = JSON.parse(output) as { url: string; pid: number };
    expect(pid).toBe(child.pid);
    return { child, url };
  };
  const post = async (url: string, body: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { authorization: 'Bearer t' }, body: JSON.stringify(body) });
  const exitOf = async (child: Child): Promise<number | null> => {
    await until('it has ended', () => hasEnded(child));
    return child.exitCode;
  };
  /** Its exit code and all that it has written to standard error. */
  const failureOf = async (child: Child): Promise<[code: number | null, errors: string]> => {
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const code = await exitOf(child);
    await until('the last of it has been read', () => child.stderr.readableEnded);
    return [code, errors.join('')];
  };

  it('has every acknowledged message on disk when killed', async () => {
    const first = await start();
    await post(`${first.url}/_sim/behaviour`, { status_delay_ms: 400, callback_batch: 50 });
    await post(`${first.url}/_sim/inbound`, { phone_number_id: '1', from: CUSTOMER, type: 'text', text: 'x' });
    const answered: string[] = [];
    const message = { messaging_product: 'whatsapp', to: CUSTOMER, text: { body: 'x' } };
    const sender = async (): Promise<void> => {
      for (;;) {
        const response = await post(`${first.url}/v23.0/1/messages`, message);
        answered.push(((await response.json()) as { messages: { id: string }[] }).messages[0]?.id ?? '');
        if (answered.length === 300) first.child.kill('SIGKILL');
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, sender));
    await exitOf(first.child);
    const second = await start();
    const ledger = (await (await fetch(`${second.url}/_sim/ledger?limit=100000`)).json()) as LedgerBody;
    const known = new Set(ledger.data.map(({ id }) => id));
    expect(answered.filter((id) => !known.has(id))).toEqual([]);
    await until('every report has come', () => {
      const seen = new Set(receiver.statuses.map(({ id, status }) => `${id} ${status}`));
      return answered.every((id) => ['sent', 'delivered', 'read'].every((status) => seen.has(`${id} ${status}`)));
    });
    second.child.stdin.end();
    expect(await exitOf(second.child)).toBe(0);
  });

  it('ignores SIGINT and exits on SIGTERM', async () => {
    const { child, url } = await start();
    child.kill('SIGINT');
    expect((await fetch(`${url}/_sim/behaviour`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it.each([
    ['no JSON', 'simulator: the configuration is not JSON\n'],
    ['{"port":-1}', 'simulator: port must be 0 to 65535\n'],
    ['{"port":0,"dataDir":"x"}', 'simulator: appSecret is required\n'],
  ])('refuses the configuration %s with one line and exit 1', async (line, complaint) => {
    const child = launch(line);
    expect(await failureOf(child)).toEqual([1, complaint]);
  });

  it('refuses a port in use with one line and exit 1, touching no file', async () => {
    const blocker = createServer();
    await once(blocker.listen(0, '127.0.0.1'), 'listening');
    try {
      const port = (blocker.address() as { port: number }).port;
      const dataDir = join(directory, 'untouched');
      const child = launch(JSON.stringify({ port, dataDir, appSecret: 's' }));
      expect(await failureOf(child)).toEqual([1, `simulator: port ${port} is taken\n`]);
      expect(() => readdirSync(dataDir)).toThrow('ENOENT');
    } finally {
      blocker.close();
    }
  });
});

/** Compiles only what the process needs, so that this test needs no build. */
function compileInto(directory: string): void {
  const { $schema, ...swc } = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  for (const folder of ['simulator', 'src/values']) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
      const compiled = join(directory, folder, name.replace(/ts$/, 'js'));
      const { code } = transformSync(readFileSync(join(ROOT, folder, name), 'utf8'), { ...swc, swcrc: false });
      mkdirSync(dirname(compiled), { recursive: true });
      writeFileSync(compiled, code);
    }
  }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
}
