import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { MAGIC } from '../../simulator/callbacks/delivery-plan.js';
import { CONVERSATION_CHANGES } from '../../src/cli/conversation-triggers.js';
import { runCli } from '../../src/cli/run-cli.js';
import { PERSON_TRIGGERS, SEND_TRIGGERS } from '../../src/cli/trigger-plans.js';
import { Program, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { Shell } from '../sandbox/shell.js';
import { Document } from './document.js';

/** A busy machine may take a while. Milliseconds. */
const PATIENCE_MS = 240_000;
jest.setTimeout(PATIENCE_MS + 60_000);

const page = new Document('simulator.md');
const bare = (cell = '') => cell.replaceAll('`', '');

/** Expects the output `expected`, where `…` matches anything. */
const patternOf = (expected: string): RegExp =>
  new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);

describe('docs/simulator.md', () => {
  const home = temporaryDirectory();
  const dataDir = path.join(home, '.parley');
  const shells: Shell[] = [];

  afterAll(async () => {
    for (const shell of shells) shell.end();
    await Program.killAll();
    removeDataDirectory(dataDir);
    rmSync(home, { recursive: true, force: true });
  });

  it('shows the actual output of every command', async () => {
    const sandbox = Program.script('start.mjs', { DATA_DIR: dataDir, PORT: '0' });
    await sandbox.until('the sandbox is up', () => existsSync(path.join(dataDir, 'sandbox.json')));
    const { simulator_url } = JSON.parse(readFileSync(path.join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
    const usual = await (await fetch(`${simulator_url}/_sim/behaviour`)).json();
    expect(
      Object.fromEntries(page.rowsUnder('## How it behaves').map(([name, value]) => [bare(name), bare(value)])),
    ).toEqual(
      Object.fromEntries(Object.entries(usual as object).map(([name, value]) => [name, JSON.stringify(value)])),
    );

    const transcript = page.transcript();
    const shown = transcript.filter(({ output }) => output !== null);
    expect([transcript.length, shown.length]).toEqual([page.blocks('bash').length, page.blocks('text').length]);
    const script = transcript.map(({ commands }, index) => `echo '== ${index}'\n${commands}`).join('');
    const shell = new Shell(`set -eu\n${script}`, { DATA_DIR: dataDir });
    shells.push(shell);
    const patience = setTimeout(() => shell.end(), PATIENCE_MS);
    const code = await shell.exit.finally(() => clearTimeout(patience));
    expect({ code, output: shell.output }).toEqual({ code: 0, output: expect.anything() });
    const printed = shell.output.split(/^== \d+\n/m).slice(1);
    for (const [index, { output }] of transcript.entries()) {
      expect(printed[index]).toMatch(output === null ? /^$/ : patternOf(output));
    }
    sandbox.kill('SIGINT');
    await expect(sandbox.exit).resolves.toBe(0);
  });

  it('lists every trigger with its webhooks', async () => {
    let help = '';
    await runCli(['trigger', '--help'], {}, { out: (text) => (help += text), err: () => undefined });
    const commands = [...help.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name]) => name);
    const rows = page
      .rowsUnder('## Every event, one command each')
      .map(([name, , webhooks]) => [bare(name), bare(webhooks)]);
    expect(rows.map(([name]) => name)).toEqual(commands);
    for (const [name = '', webhooks] of rows) {
      const events = SEND_TRIGGERS[name]?.events ??
        PERSON_TRIGGERS[name]?.events ?? [name in CONVERSATION_CHANGES ? `conversation.${name}` : 'message.received'];
      expect(webhooks?.replace(', and what follows soon', '')).toBe(events.join(', '));
    }
  });

  it('lists every number that determines the outcome', () => {
    const endings = page.rowsUnder('## Numbers that decide the outcome').map(([ending]) => bare(ending));
    expect(endings).toEqual(Object.values(MAGIC));
  });
});
