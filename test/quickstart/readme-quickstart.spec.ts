import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { isRunning, ROOT, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { Shell } from '../sandbox/shell.js';
import { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/free-port.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SimulatorControl } from '../support/simulator-control.js';
import { until } from '../support/until.js';

const CONTACTS = 1000;
/** Generous for a busy machine, milliseconds. */
const PATIENCE_MS = 240_000;
jest.setTimeout(3 * PATIENCE_MS);

const [startCommand = '', ...blocks] = [
  ...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm),
].map(([, commands = '']) => commands);

describe('the quickstart of README.md', () => {
  const home = temporaryDirectory();
  const dataDir = path.join(home, '.parley');
  const shells: Shell[] = [];
  const run = (commands: string, env: Record<string, string>): Shell => {
    const shell = new Shell(commands, { DATA_DIR: dataDir, ...env });
    shells.push(shell);
    return shell;
  };

  afterAll(() => {
    for (const shell of shells) shell.end();
    removeDataDirectory(dataDir);
    rmSync(home, { recursive: true, force: true });
  });

  it('sends a campaign to 1,000 contacts whose stats, ledger and signed webhooks agree', async () => {
    expect(startCommand.trim()).toBe('npm start');
    const start = run(startCommand, { PORT: '0' });
    const file = path.join(dataDir, 'sandbox.json');
    await until('npm start is up', () => existsSync(file), PATIENCE_MS).catch(() => {
      throw new Error(`npm start did not come up:\n${start.output}`);
    });
    const sandbox = JSON.parse(readFileSync(file, 'utf8')) as SandboxFile;

    // Our own witness besides the example's: every delivery as received.
    const secret = 'witness';
    const idsByKind = new Map<string, Set<string>>();
    let forged = 0;
    const witness = await LoopbackServer.start(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      if (request.headers['x-webhook-signature'] !== signature) forged += 1;
      const { event, message } = JSON.parse(body.toString('utf8')) as {
        event: string;
        message: { message_id: string };
      };
      idsByKind.set(event, (idsByKind.get(event) ?? new Set()).add(message.message_id));
      response.writeHead(204).end();
    });
    try {
      const api = new ApiClient(sandbox.base_url, sandbox.api_key);
      expect((await api.post('/api/v1/webhooks/', { url: witness.url(), secret })).status).toBe(201);

      const marked = blocks.map((commands, index) => `echo '== block ${index}'\n${commands}`);
      const quickstart = run(`set -eu\n${marked.join('\n')}\necho "== campaign $CAMPAIGN"\n`, {
        SUBSCRIBER_PORT: String(await freePort()),
      });
      const patience = setTimeout(() => quickstart.end(), PATIENCE_MS);
      const code = await quickstart.exit;
      clearTimeout(patience);
      expect({ code, output: quickstart.output }).toEqual({ code: 0, output: expect.not.stringContaining('"error"') });

      expect(quickstart.output).toContain(`${CONTACTS} messages to ${CONTACTS} different contacts`);
      // The commands wait for the last message.read only; the witness has seen every other event.
      const [tally = ''] = /\{"message\.[^}]*\}/.exec(quickstart.output) ?? [];
      expect(JSON.parse(tally)).toEqual({
        'message.sent': expect.any(Number),
        'message.delivered': expect.any(Number),
        'message.read': CONTACTS + 1,
        forged: 0,
      });
      const [, campaignId = ''] = /== campaign (\S+)/.exec(quickstart.output) ?? [];
      const stats = await api.get(`/api/v1/campaigns/${campaignId}/stats`);
      expect(stats.body).toMatchObject({
        campaign_status: 'completed',
        total_contacts: CONTACTS,
        sent_count: CONTACTS,
        delivered_count: CONTACTS,
        read_count: CONTACTS,
        failed_count: 0,
        success_count: CONTACTS,
      });

      const phoneNumberId = sandbox.business_phones[0]?.phone_number_id ?? '';
      const ledger = await new SimulatorControl(sandbox.simulator_url ?? '').ledger(phoneNumberId);
      const sent = ledger.map((entry) => entry.biz_opaque_callback_data).sort();
      expect(sent.length).toBe(CONTACTS + 1);
      expect(new Set(ledger.map(({ to }) => to)).size).toBe(CONTACTS + 1);
      for (const event of ['message.sent', 'message.delivered', 'message.read']) {
        await until(`the witness has seen each ${event}`, () => (idsByKind.get(event)?.size ?? 0) >= sent.length);
        expect([...(idsByKind.get(event) ?? [])].sort()).toEqual(sent);
      }
      expect([...idsByKind.keys()].sort()).toEqual(['message.delivered', 'message.read', 'message.sent']);
      expect(forged).toBe(0);
    } finally {
      await witness.stop();
    }

    process.kill(sandbox.pid, 'SIGINT');
    expect(await start.exit).toBe(0);
    expect([sandbox.pid, sandbox.simulator_pid ?? 0].filter(isRunning)).toEqual([]);
  });
});
