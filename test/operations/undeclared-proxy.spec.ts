import { FaultProcess } from '../faults/fault-process.js';
import { workerDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { serviceEnvironment } from './service-environment.js';

afterAll(() => FaultProcess.killAll());

it('warns of a proxy that TRUST_PROXY does not declare: once in the log, and in /health/ready', async () => {
  const { process, baseUrl } = await FaultProcess.service(serviceEnvironment(await workerDatabase()));
  const warnings = async () => {
    const response = await fetch(`${baseUrl}/health/ready`);
    const { warnings } = (await response.json()) as { warnings?: string[] };
    return { status: response.status, warnings };
  };
  const logged = () => process.output.split('\n').filter((line) => line.includes('TRUST_PROXY does not declare'));
  await eventually(async () => expect(await warnings()).toEqual({ status: 200, warnings: undefined }));
  for (let request = 0; request < 3; request++) {
    await fetch(`${baseUrl}/health/live`, { headers: { 'x-forwarded-for': `203.0.113.${request}` } });
  }
  const warned = { status: 200, warnings: [expect.stringContaining('Set TRUST_PROXY')] };
  await eventually(async () => expect(await warnings()).toEqual(warned));
  await until('it is logged', () => logged().length > 0);
  expect(logged()).toHaveLength(1);
  expect(logged()[0]).not.toContain('203.0.113');
});
