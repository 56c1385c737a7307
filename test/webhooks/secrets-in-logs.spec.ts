import { FaultProcess } from '../faults/fault-process.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';
import { deliveriesOf, subscribe } from './events.js';
import { Receiver } from './receiver.js';

afterAll(() => FaultProcess.killAll());

it('a webhook’s secrets appear in no log, whatever the log level', async () => {
  const databaseUrl = await freshDatabase();
  const receiver = await Receiver.listen();
  const world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
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
  await until('the test event is delivered', async () => {
    const [delivery] = await deliveriesOf({ ...account, api }, id);
    return delivery?.status === 'delivered';
  });
  await process.stop();
  await world.stop();
  await receiver.close();

  expect(process.output).toContain(`/api/v1/webhooks/${id}/rotate-secret`);
  for (const secret of [first, second, body.secret]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(process.output).not.toContain(secret);
  }
});
