import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/free-port.js';
import { inherited } from '../support/inherited.js';
import { uniqueDigits, uniquePhone, World } from '../support/world.js';
import { createUpstream } from '../templates/upstream.js';

const ROOT = path.resolve(__dirname, '../..');
/** When commands that wait for something are ended, milliseconds. */
const PATIENCE_MS = 180_000;
const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');

/** The first shell block after `start` that sends a message, without its indentation. */
function blockAfter(start: string): string {
  const section = page.slice(page.indexOf(start));
  const [, indent = '', commands = ''] =
    [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].find(([all]) => all.includes('/api/v1/messages/send')) ??
    [];
  return commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

describe('the pages that end with a delivered message', () => {
  let world: World;
  let env: Record<string, string>;
  beforeAll(async () => {
    const port = await freePort();
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    world = await World.start({ env: { PORT: String(port), PUBLIC_URL } });
    env = {
      ...inherited(),
      DATABASE_URL: world.environment.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
      NETWORK_BASE_URL: world.environment.network.baseUrl,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: 'test-app-secret',
      NETWORK_VERIFY_TOKEN: 'test-verify-token',
      PUBLIC_URL,
    };
  });
  afterAll(() => world.stop());

  /** Runs a block with the command line of this checkout, at the addresses of the test. */
  async function run(block: string, variables: Record<string, string> = {}): Promise<string> {
    const commands = block
      .replace(/^parley\(\).*\n/m, '')
      .replaceAll(/https:\/\/parley\.example\.com|http:\/\/127\.0\.0\.1:3000/g, world.baseUrl)
      .replaceAll('http://127.0.0.1:4000', world.environment.network.baseUrl);
    const script = `set -euo pipefail\nparley() { node scripts/cli.mjs "$@"; }\n${commands}`;
    const shell = spawn('bash', ['--norc', '-c', script], {
      cwd: ROOT,
      env: { ...env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, because its commands wait in loops of their own.
      detached: true,
    });
    const end = (): void => {
      try {
        if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
      } catch {
        // All of it has ended already.
      }
    };
    const patience = setTimeout(end, PATIENCE_MS);
    const [output, errors, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise((resolve) => shell.once('close', resolve)),
    ]);
    clearTimeout(patience);
    expect([code, errors, output]).toEqual([0, '', expect.stringMatching(/"status":"(delivered|read)"/)]);
    return output;
  }

  it('lead there on a staging system', async () => {
    const digits = uniqueDigits();
    const block = blockAfter('## Staging').replaceAll('1001', `61${digits}`).replaceAll('2001', `81${digits}`);
    await run(block.replaceAll('15559990100', uniquePhone()));
  });

  it('lead there on Debian', async () => {
    const [PHONE_NUMBER_ID, WABA_ID, TOKEN] = [`62${uniqueDigits()}`, `82${uniqueDigits()}`, `EAAG${uniqueDigits()}`];
    const display = `+1 555 ${uniqueDigits().slice(-7)}`;
    await world.simulator.addPhone(PHONE_NUMBER_ID, WABA_ID, display, { registered: false, pin: '246810' });
    const scopes = ['whatsapp_business_messaging', 'whatsapp_business_management'];
    await world.simulator.declareToken({ token: TOKEN, scopes, wabas: [WABA_ID] });
    await createUpstream(world.simulator, WABA_ID, 'hello_world', [{ type: 'BODY', text: 'Hello World' }]);
    const output = await run(blockAfter('## With systemd on Debian'), {
      PHONE_NUMBER_ID,
      WABA_ID,
      TOKEN,
      PIN: '246810',
      CUSTOMER: uniquePhone(),
    });
    expect(output).toMatch(/^ok {7}registration /m);
  });

  it('lead there from an empty account in docs/connect.md, practised on a strict network', async () => {
    const connect = readFileSync(path.join(ROOT, 'docs/connect.md'), 'utf8');
    const blocks = [...connect.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    const blockWith = (words: string): string => blocks.find((block) => block.includes(words)) ?? '';
    const directory = await mkdtemp(path.join(tmpdir(), 'parley-connect-'));
    const declare = blockWith('sim phones').replace(/^(?:sandbox\(\)|PUBLIC_URL=|SIMULATOR_URL=).*\n/gm, '');
    const first = blockWith('keys create');
    const script = [
      ...[declare, blockWith('phones connect'), first, blockWith('templates/create')],
      `until api=$(curl -sS "$PUBLIC_URL/api/v1/templates/" -H "Authorization: Bearer $KEY") && grep -q APPROVED <<< "$api"; do sleep 0.2; done`,
      `MESSAGE=$(${first.slice(first.lastIndexOf('curl')).trim()} | node -p 'JSON.parse(require("fs").readFileSync(0)).message_id')`,
      `until curl -sS "$PUBLIC_URL/api/v1/messages/$MESSAGE" -H "Authorization: Bearer $KEY" | grep -E '"status":"(delivered|read)"'; do sleep 0.2; done`,
    ].join('\n');
    const own = script
      .replaceAll('106540352242922', `63${uniqueDigits()}`)
      .replaceAll('102290129340398', `83${uniqueDigits()}`)
      .replaceAll('EAAG-practice', `EAAG${uniqueDigits()}`)
      .replaceAll('token.txt', path.join(directory, 'token.txt'));
    const running = run(own, { SIMULATOR_URL: world.environment.network.baseUrl });
    const output = await running.finally(() => rm(directory, { recursive: true }));
    expect(output).toMatch(/^ok {7}subscription /m);
    expect(output).not.toMatch(/^failed/m);
  });
});
