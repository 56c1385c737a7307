import { createHmac } from 'node:crypto';
import { started } from '../campaigns/campaigns.js';
import { SEND } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { HeldTimers } from '../support/held-timers.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { Receiver } from '../webhooks/receiver.js';
import { type ExportedSpan, TraceReceiver } from './trace-receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const HEADER_KEY = 'the key of the receiver';

const sendTo = async (world: World, account: TestAccount, phone: string, text: string) => {
  const { name } = await approvedTemplate(world, account, { body: { text: 'Hello {{1}}', examples: { 1: 'you' } } });
  return account.api.post(SEND, { template_name: name, contact_phone: phone, body_data: { 1: text } });
};

/** How long a process that stops waits for its last spans to be sent, milliseconds (src/bootstrap.ts). */
const LAST_SPANS_MS = 500;

/** Stops a process that does not give up on its last spans, however slow the machine is. */
async function stopUnhurried(world: World): Promise<void> {
  const limits = HeldTimers.of(LAST_SPANS_MS);
  try {
    await world.stop();
  } finally {
    limits.letGo();
  }
}

describe('tracing', () => {
  let receiver: TraceReceiver;
  let endpoint: Receiver;
  let world: World;
  beforeAll(async () => {
    [receiver, endpoint] = [await TraceReceiver.listen(), await Receiver.listen()];
    const headers = `x-key=${encodeURIComponent(HEADER_KEY)}`;
    world = await World.start({ env: { ...receiver.env, OTEL_EXPORTER_OTLP_HEADERS: headers } });
  });
  afterAll(async () => {
    await world.stop();
    await receiver.close();
    await endpoint.close();
  });

  const spanOf = (what: string, matches: (span: ExportedSpan) => boolean): Promise<ExportedSpan> =>
    until(what, async () => receiver.spans.find(matches));

  it('exports a request and the network call below it as one trace', async () => {
    const account = await world.account();
    expect((await sendTo(world, account, uniquePhone(), 'hello')).status).toBeLessThan(300);
    const request = await spanOf(
      'the request is exported',
      ({ name, attributes }) => name === `POST ${SEND}` && attributes['parley.account_id'] === account.accountId,
    );
    expect(request.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.route': SEND });
    const call = await spanOf(
      'the call is exported',
      ({ name, traceId }) => name === 'POST /{id}/messages' && traceId === request.traceId,
    );
    expect(call).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 200 },
    });
    expect(receiver.http.received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': HEADER_KEY } });
    expect(receiver.everything).toContain('{"key":"service.name","value":{"stringValue":"parley"}}');
  });

  it('continues the trace of a caller', async () => {
    const { api } = await world.account();
    await api.get('/api/v1/contacts/', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    const span = await spanOf('the request is exported', ({ traceId }) => traceId === TRACE);
    expect(span).toMatchObject({ name: 'GET /api/v1/contacts', parentSpanId: PARENT });
  });

  it('starts a trace of its own when the caller’s header is not valid', async () => {
    const { api, accountId } = await world.account();
    await api.get('/api/v1/contacts/', { headers: { traceparent: 'not a trace' } });
    const span = await spanOf(
      'the request is exported',
      ({ attributes }) => attributes['parley.account_id'] === accountId,
    );
    expect(span.parentSpanId ?? '').toBe('');
  });

  it('exports a delivery without telling the receiver about it', async () => {
    const account = await world.account();
    await account.api.post('/api/v1/webhooks/', { url: endpoint.url('/path-with-a-secret') });
    await sendTo(world, account, uniquePhone(), 'hello');
    const span = await spanOf(
      'the delivery is exported',
      ({ name, attributes }) => name === 'webhook delivery' && attributes['parley.account_id'] === account.accountId,
    );
    expect(span).toMatchObject({ failed: false, attributes: { 'parley.verdict': 'delivered', 'parley.attempt': 1 } });
    expect(span.parentSpanId ?? '').toBe('');
    expect(endpoint.received.filter(({ headers }) => 'traceparent' in headers || 'tracestate' in headers)).toEqual([]);
  });

  it('exports one span for a group of a campaign, and none for its messages', async () => {
    const account = await world.account();
    const { name } = await approvedTemplate(world, account);
    await started(account, name, 5);
    const group = await spanOf(
      'the group is exported',
      ({ name, attributes }) => name === 'campaign group' && attributes['parley.account_id'] === account.accountId,
    );
    expect(group.attributes).toMatchObject({ 'parley.messages': 5 });
    expect(receiver.spans.filter(({ parentSpanId }) => parentSpanId === group.spanId)).toEqual([]);
  });

  it('exports sweeps that call the network, and callbacks by the number of their items', async () => {
    const account = await world.account();
    await world.unitOfWork.autocommit.affected('UPDATE business_phones SET look_up_at = now() WHERE account_id = $1', [
      account.accountId,
    ]);
    await until('a sweep and its call are exported', async () => {
      const sweeps = receiver.spans.filter(({ name }) => name === 'PhoneFactsSweep').map(({ spanId }) => spanId);
      return receiver.spans.some(({ parentSpanId = '' }) => sweeps.includes(parentSpanId));
    });
    await sendTo(world, account, uniquePhone(), 'hello');
    const callback = await spanOf('the callback is exported', ({ name }) => name === 'callback');
    expect(Object.keys(callback.attributes)).toContainEqual(expect.stringMatching(/^parley\.items\./));
    await spanOf('its request is exported', ({ spanId }) => spanId === callback.parentSpanId);
  });

  it('exports no phone number, text, key, token or URL of a customer', async () => {
    const account = await world.account();
    const [phone, stranger, text] = [uniquePhone(), uniquePhone(), 'a text from the business'];
    const secret = 'a secret of a webhook';
    await account.api.post('/api/v1/webhooks/', { url: endpoint.url('/path-with-a-secret?key=of-a-url'), secret });
    await sendTo(world, account, phone, text);
    await account.api.get(`/api/v1/contacts/${phone}?search=${encodeURIComponent(text)}`);
    await account.api.get(`/nowhere/+${stranger}/${account.apiKey}`);
    await account.api.get('/api/v1/contacts/', { headers: { tracestate: 'vendor=a-state-of-a-caller' } });
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: account.phone.wabaId, changes: [{ field: 'messages', value: { text, from: stranger } }] }],
    });
    const signature = createHmac('sha256', 'test-app-secret').update(body).digest('hex');
    const acknowledged = await new ApiClient(world.baseUrl, null).post('/network/callbacks', undefined, {
      raw: body,
      headers: { 'x-hub-signature-256': `sha256=${signature}`, traceparent: `00-${TRACE}-${PARENT}-01` },
    });
    expect(acknowledged.status).toBe(200);
    await spanOf(
      'the delivery is exported',
      ({ name, attributes }) => name === 'webhook delivery' && attributes['parley.account_id'] === account.accountId,
    );
    await spanOf(
      'the callback is exported',
      ({ name, traceId }) => name === 'POST /network/callbacks' && traceId === TRACE,
    );
    const hidden = [
      ...[phone, stranger, text, secret, account.apiKey, account.apiKey.slice(21), account.phone.phoneNumberId],
      ...['path-with-a-secret', 'of-a-url', 'a-state-of-a-caller', 'test-app-secret', 'test-verify-token', signature],
    ];
    expect(hidden.filter((value) => receiver.everything.includes(value))).toEqual([]);
  });
});

describe('a process of its own', () => {
  /** Ended in this order after each test, even if it fails. */
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const listen = async (...answer: Parameters<typeof TraceReceiver.listen>): Promise<TraceReceiver> => {
    const receiver = await TraceReceiver.listen(...answer);
    ends.push(() => receiver.close());
    return receiver;
  };
  /** Does `work` with a process that has stopped when this returns. */
  const during = async (
    env: Record<string, string>,
    work: (world: World) => Promise<void>,
    stop = (world: World) => world.stop(),
  ): Promise<void> => {
    const world = await World.start({ env });
    try {
      await work(world);
    } finally {
      await stop(world);
    }
  };
  /** Asks so many times, and expects answers. */
  const ask = async ({ api }: TestAccount, times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) expect((await api.get('/api/v1/contacts/')).status).toBe(200);
  };

  it('sends nothing when no endpoint is set, or the SDK is disabled', async () => {
    const receiver = await listen();
    for (const env of [{}, { ...receiver.env, OTEL_SDK_DISABLED: 'true' }]) {
      await during(env, async (world) => ask(await world.account()));
    }
    expect(receiver.http.received).toEqual([]);
  });

  it('sends protobuf by default, to the endpoint for traces if there is one, and the last spans while it stops', async () => {
    const receiver = await listen();
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.http.url('/only/traces'),
      OTEL_SERVICE_NAME: 'another-name',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    };
    await during(env, async (world) => ask(await world.account()), stopUnhurried);
    const [first] = receiver.http.received;
    expect(first).toMatchObject({ path: '/only/traces', headers: { 'content-type': 'application/x-protobuf' } });
    for (const text of ['another-name', 'staging', 'GET /api/v1/contacts']) expect(receiver.everything).toContain(text);
  });

  it('samples as configured', async () => {
    const receiver = await listen();
    const env = { ...receiver.env, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const work = async (world: World): Promise<void> => {
      const { api } = await world.account();
      await api.get('/api/v1/contacts/');
      await api.get('/api/v1/contacts/', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    };
    await during(env, work, stopUnhurried);
    expect(receiver.spans.map(({ traceId }) => traceId)).toEqual([TRACE]);
  });

  it.each([['hangs', 'hang'] as const, ['fails', { status: 500 }] as const])(
    'answers requests and stops while the receiver %s',
    async (_, answer) => {
      const receiver = await listen(answer);
      await during(receiver.env, async (world) => {
        const account = await world.account();
        await ask(account, 3);
        await until('spans are sent', async () => receiver.http.received.length > 0);
        await ask(account, 3);
      });
    },
  );

  it('answers requests and stops while nothing listens at the endpoint', async () => {
    const receiver = await TraceReceiver.listen();
    const { env } = receiver;
    await receiver.close();
    await during(env, async (world) => ask(await world.account(), 3));
  });
});
