import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { Program, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { ApiClient } from '../support/api-client.js';
import { SimulatorControl } from '../support/simulator-control.js';
import { until } from '../support/until.js';
import { CREATE, LIST, SYNC, upstreamTemplates } from './upstream.js';

interface Listed {
  readonly templates: Record<string, unknown>[];
  readonly total: number;
}

const TEMPLATE = { name: 'order_update', category: 'UTILITY', body: { text: 'Hi {{1}}' } };

describe('a service killed between the network’s acceptance of a template and our commit', () => {
  const dataDir = path.join(temporaryDirectory(), '.parley');
  afterAll(async () => {
    await Program.killAll();
    removeDataDirectory(dataDir);
    rmSync(path.dirname(dataDir), { recursive: true, force: true });
  });

  const start = async () => {
    const program = Program.script('start.mjs', {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      NETWORK_TIMEOUT_MS: '600000',
    });
    await program.until('the sandbox to be up', () => program.stdout.includes('Ctrl-C stops it'));
    const sandbox = JSON.parse(readFileSync(path.join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
    const [phone] = sandbox.business_phones;
    if (phone === undefined) throw new Error('the sandbox has a phone');
    return {
      program,
      pid: sandbox.pid,
      api: new ApiClient(sandbox.base_url ?? '', sandbox.api_key),
      simulator: new SimulatorControl(sandbox.simulator_url ?? ''),
      wabaId: phone.waba_id,
    };
  };

  it('has stored nothing, and the next sync adds the template', async () => {
    const first = await start();
    await first.simulator.behave({ review: 'manual', latency_ms: 600_000 });
    const creating = first.api.post(CREATE, TEMPLATE).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await until('the network has been asked', async () => (await first.simulator.requests(first.wabaId)).length > 0);
    await first.simulator.behave({ latency_ms: 0 });
    await until('the network has accepted it', async () => {
      return (await upstreamTemplates(first.simulator, first.wabaId)).length > 0;
    });
    process.kill(first.pid, 'SIGKILL');
    await until('the sandbox has ended', () => !first.program.running);
    expect(await creating).toBe('no answer');

    const { api, program } = await start();
    expect((await api.get<Listed>(LIST)).body.total).toBe(0);
    // The name is taken upstream.
    expect((await api.post(CREATE, TEMPLATE)).status).toBe(400);
    expect((await api.post(SYNC)).body.summary).toMatchObject({ total_meta_templates: 1, created: 1 });
    expect((await api.get<Listed>(LIST)).body.templates).toEqual([
      expect.objectContaining({ name: 'order_update', status: 'PENDING', body: 'Hi {{1}}', variable_count: 1 }),
    ]);
    program.kill('SIGINT');
    await until('the second one has ended', () => !program.running);
  });
});
