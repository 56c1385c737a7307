import { createHmac } from 'node:crypto';
import { FaultProcess } from '../faults/fault-process.js';
import { SEND } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';
import { Receiver } from '../webhooks/receiver.js';
import { serviceEnvironment } from './service-environment.js';

/** Ended in this order when the tests are over, even if they fail. */
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await FaultProcess.killAll();
  for (const end of ends) await end();
});

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const linesOf = (output: string): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

it('a busy run logs every request, and no key, token, secret, phone number or text', async () => {
  const databaseUrl = await freshDatabase();
  const receiver = await Receiver.listen();
  ends.push(() => receiver.close());
  const world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
  ends.unshift(() => world.stop());
  const { process, baseUrl } = await FaultProcess.service(
    serviceEnvironment(databaseUrl, {
      LOG_LEVEL: 'trace',
      NETWORK_BASE_URL: world.environment.network.baseUrl,
      ADMIN_TOKEN: 'the operators’ own token',
    }),
  );
  const account = await world.account();
  const api = new ApiClient(baseUrl, account.apiKey);
  const [phone, stranger] = [uniquePhone(), uniquePhone()];
  const texts = ['a text from the business', 'a text from the contact', 'a searched name', 'a secret of a webhook'];
  const [sent, received, searched, secret] = texts;

  const { name } = await approvedTemplate(world, account, { body: { text: 'Hello {{1}}', examples: { 1: 'you' } } });
  await api.post('/api/v1/webhooks/', { url: receiver.url(), secret });
  const created = await api.post<{ contact_id: string }>(SEND, {
    template_name: name,
    contact_phone: phone,
    body_data: { 1: sent },
  });
  await api.post(SEND, { template_name: name, contact_phone: `${stranger}12345678901`, body_data: { 1: sent } });
  await api.get(`/api/v1/contacts/?search=${encodeURIComponent(searched ?? '')}&phone=%2B${phone}`);
  await api.get(`/api/v1/contacts/${phone}`);
  await api.get(`/nowhere/+${stranger}/${account.apiKey}`);
  await new ApiClient(baseUrl, `${account.apiKey.slice(0, -5)}wrong`).get('/api/v1/contacts/');
  const callback = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: account.phone.wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { phone_number_id: account.phone.phoneNumberId },
              messages: [
                {
                  id: 'wamid.1',
                  from: phone,
                  timestamp: String(Math.floor(Date.now() / 1000)),
                  type: 'text',
                  text: { body: received },
                },
              ],
            },
          },
        ],
      },
    ],
  });
  const signature = `sha256=${createHmac('sha256', 'test-app-secret').update(callback).digest('hex')}`;
  const acknowledged = await new ApiClient(baseUrl, null).post('/network/callbacks', undefined, {
    raw: callback,
    headers: { 'x-hub-signature-256': signature },
  });
  expect(acknowledged.status).toBe(200);
  await fetch(`${baseUrl}/health/ready`);
  await until('events are delivered', async () => receiver.received.length >= 2);
  await process.stop();

  const requests = linesOf(process.output).filter(({ msg }) => msg === 'request');
  expect(requests).toContainEqual(
    expect.objectContaining({
      level: 'info',
      method: 'POST',
      route: SEND,
      path: SEND,
      status: created.status,
      duration_ms: expect.any(Number),
      bytes: Buffer.byteLength(created.text),
      request_id: created.headers.get('x-request-id'),
      account_id: account.accountId,
      key_id: account.keyId,
    }),
  );
  expect(requests).toContainEqual(
    expect.objectContaining({ status: 404, path: `/nowhere/+*****${stranger.slice(-2)}/[redacted]` }),
  );
  expect(requests.filter(({ path }) => String(path).startsWith('/health'))).toEqual([]);
  const secrets = [account.apiKey.slice(21), 'test-app-secret', 'the operators’ own token'];
  for (const hidden of [...secrets, phone, stranger, ...texts])
    expect([hidden, process.output.includes(hidden)]).toEqual([hidden, false]);
});
