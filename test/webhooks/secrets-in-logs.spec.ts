import { FaultProcess } from '../faults/fault-process.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';
import { delivered, subscribe } from './events.js';
import { Receiver } from './receiver.js';

let world: World;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.listen();
  world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
});
afterAll(async () => {
  await FaultProcess.killAll();
  await world.stop();
  await receiver.close();
});

it('a webhook’s secrets appear in no log, whatever the log level', async () => {
  const { databaseUrl } = world.environment;
  const { process, baseUrl } = await FaultProcess.service(serviceEnvironment(databaseUrl, { LOG_LEVEL: 'trace' }));
  const account = await world.account();
  const api = new ApiClient(baseUrl, account.apiKey);
  const [first, second] = ['the first of its secrets', 'the second of its secrets'];

  const id = await subscribe({ ...account, api }, { url: receiver.url(), secret: first });
  await api.patch(`/api/v1/webhooks/${id}`, { secret: { text: first } });
  await api.post(`/api/v1/webhooks/${id}/rotate-secret`, { secret: second });
  const { body } = await api.post<{ secret: string }>(`/api/v1/webhooks/${id}/rotate-secret`, {});
  receiver.answerWith(() => ({ status: receiver.received.length === 1 ? 500 : 200 }));
  await api.post(`/api/v1/webhooks/${id}/test`, {});
  // Asks the other process, because only the end of this one's output is kept.
  await delivered(account, id);
  await process.stop();

  expect(process.output).toContain(`/api/v1/webhooks/${id}/rotate-secret`);
  for (const secret of [first, second, body.secret]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(process.output).not.toContain(secret);
  }
});
