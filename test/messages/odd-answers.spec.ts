import type { ServerResponse } from 'node:http';
import { NETWORK_CODES, PAIR_RATE_EXCEEDED } from '../../src/network/network-codes.js';
import { SINGLE_PATIENCE } from '../../src/sending/judge.js';
import { MINUTE } from '../../src/values/clock.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { freePort } from '../support/free-port.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  eventsOf,
  type MessageRecord,
  openWindow,
  recordOf,
  report,
  SEND_MESSAGE,
  secondsAgo,
  UUID,
} from './messages.js';

/** Cases the simulator never produces: a scripted network, or none at all. */
describe('a send to a network', () => {
  let network: LoopbackServer;
  let world: World;
  let account: TestAccount;
  let contact: string;
  /** What the network does with a send. Until a test says so, and for anything else, it answers 500. */
  let answer: (response: ServerResponse, body: Record<string, string>) => void = (response) =>
    response.writeHead(500).end();

  beforeAll(async () => {
    network = await LoopbackServer.start((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        // Other files leave phones behind that the service asks about.
        if (body === '') response.writeHead(500).end();
        else answer(response, JSON.parse(body));
      });
    });
    world = await World.start({ env: { NETWORK_BASE_URL: network.url(''), NETWORK_TIMEOUT_MS: '60000' } });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await world.stop();
    await network.stop();
  });
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });

  const send = () => account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });
  /** The number of sends of the account that the network received. It is also asked about phones of other accounts. */
  const sends = (): number =>
    network.requests.filter(
      (request) => /^POST .*\/messages$/.test(request) && request.includes(account.phone.phoneNumberId),
    ).length;
  const accepted = (message_status: string) => (response: ServerResponse, body: Record<string, string>) =>
    response.end(
      JSON.stringify({
        messaging_product: 'whatsapp',
        contacts: [{ input: body['to'], wa_id: `1${body['to']?.slice(1)}`.slice(0, 15) }],
        messages: [{ id: `wamid.${body['biz_opaque_callback_data']}`, message_status }],
      }),
    );
  const outboundEvents = async () =>
    (await eventsOf(world, account)).filter(({ event }) => event !== 'message.received');

  it.each([
    ['500 without a Graph error', (response: ServerResponse) => response.writeHead(500).end('oops')],
    ['502 with HTML', (response: ServerResponse) => response.writeHead(502).end('<html>')],
    ['200 with garbage', (response: ServerResponse) => response.end('ok')],
    ['200 with a list', (response: ServerResponse) => response.end('[]')],
    ['200 without a message id', (response: ServerResponse) => response.end('{"messages":[]}')],
    ['200 with a message that is null', (response: ServerResponse) => response.end('{"messages":[null]}')],
    ['null', (response: ServerResponse) => response.end('null')],
    [
      'a truncated answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"messages":');
        setImmediate(() => response.destroy());
      },
    ],
  ])('that answers %s is 504 network_timeout, sent once and pending', async (_, script) => {
    answer = script;
    await expectLost(await send());
  });

  const expectLost = async ({ status, body, headers }: ApiResponse): Promise<void> => {
    expect(status).toBe(504);
    expect(body).toMatchObject({ error: 'network_timeout' });
    expect(sends()).toBe(1);
    expect(await recordOf(account, headers.get('x-message-id'))).toMatchObject({ status: 'pending' });
    expect(await outboundEvents()).toEqual([]);
  };

  it.each([
    ['answers too late', () => undefined],
    [
      'goes on answering for ever',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 100);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('that %s is 504 network_timeout, sent once and pending', async (_, script) => {
    answer = script;
    const hasty = await World.start({
      env: { PARLEY_ROLES: 'api', NETWORK_BASE_URL: network.url(''), NETWORK_TIMEOUT_MS: '1000' },
    });
    try {
      const api = new ApiClient(hasty.baseUrl, account.apiKey);
      await expectLost(await api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' }));
    } finally {
      await hasty.stop();
    }
  });

  const refusing =
    (code: number, status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: `(#${code}) No` } }));

  describe('that refuses by a code, whatever its HTTP status', () => {
    // 131056 requires a wait of seconds, and has its own test.
    it.each(NETWORK_CODES.retry.filter((code) => code !== PAIR_RATE_EXCEEDED))(
      '%i was not sent: it is retried and goes out as one message',
      async (code) => {
        jest.replaceProperty(SINGLE_PATIENCE, 'spanMs', MINUTE);
        answer = (response, body) => {
          if (sends() === 1) refusing(code, code % 2 === 0 ? 500 : 400)(response);
          else accepted('accepted')(response, body);
        };
        const { status, body } = await send();
        expect([status, sends()]).toEqual([200, 2]);
        expect((await outboundEvents()).map(({ event }) => event)).toEqual(['message.sent']);
        expect(await recordOf(account, body['message_id'])).toMatchObject({ status: 'sent', error_code: null });
      },
    );

    it('and says that it will pass: whatever the code, it is retried', async () => {
      jest.replaceProperty(SINGLE_PATIENCE, 'spanMs', MINUTE);
      answer = (response, body) => {
        if (sends() > 1) accepted('accepted')(response, body);
        else response.writeHead(400).end('{"error":{"code":131042,"message":"No","is_transient":true}}');
      };
      expect([(await send()).status, sends()]).toEqual([200, 2]);
    });

    it('is retried no sooner than its Retry-After: a longer wait than ours is 503', async () => {
      answer = refusing(131016, 503, { 'retry-after': '30' });
      const { status, body, headers } = await send();
      expect([status, headers.get('retry-after'), sends()]).toEqual([503, '30', 1]);
      expect(body['message']).toMatch(/^the message was not sent: the network is temporarily unavailable \(131016: /);
      expect(await recordOf(account, headers.get('x-message-id'))).toMatchObject({
        status: 'failed',
        error_code: 900004,
      });
    });

    const { stop_phone, stop_template, stop_category, request, contact: ofContact } = NETWORK_CODES;
    it.each([...stop_phone, ...stop_template, ...stop_category, ...request, ...ofContact])(
      '%i is 400 network_rejected in plain words with its code, tried once and stored as failed',
      async (code) => {
        answer = refusing(code, code % 2 === 0 ? 400 : 403);
        const { status, body, headers } = await send();
        expect([status, body['error'], sends()]).toEqual([400, 'network_rejected', 1]);
        expect(body['message']).toMatch(new RegExp(`^(?!the network refused).+ \\(${code}: `));
        expect(await recordOf(account, headers.get('x-message-id'))).toMatchObject({
          status: 'failed',
          error_code: code,
          error_message: body['message'],
        });
      },
    );
  });

  it.each(['held_for_quality_assessment', 'paused'])(
    'that answers %s is accepted; message.sent follows with the next report',
    async (held) => {
      answer = accepted(held);
      const { status, body } = await send();
      expect(status).toBe(200);
      const id = String(body['message_id']);
      expect(await recordOf(account, id)).toMatchObject({ status: 'accepted', network_message_id: `wamid.${id}` });
      expect(await outboundEvents()).toEqual([]);
      await report(world, account.phone.phoneNumberId, { id: `wamid.${id}`, status: 'sent' });
      expect(await recordOf(account, id)).toMatchObject({ status: 'sent' });
      expect(await outboundEvents()).toMatchObject([
        { event: 'message.sent', message: { previous_status: 'accepted', status: 'sent' } },
      ]);
    },
  );

  it('whose rejection contains characters that cannot be stored is reported without them', async () => {
    answer = (response) =>
      response.writeHead(400).end('{"error":{"message":"bad \\u0000 \\ud800 thing","code":131009}}');
    const { status, body } = await send();
    expect([status, body['error']]).toEqual([400, 'network_rejected']);
    expect(body['message']).toContain('(131009: bad  \ufffd thing)');
  });

  it('of an automatic reply is stored together with the message it answers, before it is sent', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = (response, body) => void released.then(() => accepted('accepted')(response, body));
    await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1", [
      account.organisationId,
    ]);
    try {
      // The network does not answer yet, so the rows are those of a process that died before it sent.
      await openWindow(world, account.phone, uniquePhone());
      const { body } = await account.api.get<{ messages: MessageRecord[] }>('/api/v1/messages/?direction=out');
      expect(body.messages).toMatchObject([{ status: 'pending', message_type: 'text', content: 'We are closed' }]);
      const inFlight = await world.unitOfWork.autocommit.rows<{ messageIds: string[] }>(
        'SELECT message_ids FROM sends_in_flight WHERE account_id = $1',
        [account.accountId],
      );
      expect(inFlight).toEqual([{ messageIds: [body.messages[0]?.message_id] }]);
    } finally {
      release();
    }
  });

  it('that returns another number for the recipient is matched when that number writes', async () => {
    answer = accepted('accepted');
    const { status, body } = await send();
    expect(status).toBe(200);
    // Without a user id: two that differ would say that they are two people.
    const from = `1${contact}`.slice(0, 15);
    const text = {
      from,
      id: `wamid.${from}`,
      timestamp: String(secondsAgo(0)),
      type: 'text',
      text: { body: 'It is me' },
    };
    const metadata = { display_phone_number: '15550000000', phone_number_id: account.phone.phoneNumberId };
    const value = { messaging_product: 'whatsapp', metadata, contacts: [{ wa_id: from }], messages: [text] };
    expect(await world.simulator.callback('messages', value)).toMatchObject({ callback_status: 200 });
    // What an answer teaches is stored in the background; whoever wrote before is the same person afterwards.
    await until('the message is the contact’s', async () => {
      const { body: list } = await account.api.get<{ messages: Record<string, unknown>[] }>('/api/v1/messages/');
      const [newest] = list.messages;
      return newest?.['content'] === 'It is me' && newest['contact_id'] === body['contact_id'];
    });
  });
});

describe('a send while the network is unreachable', () => {
  it('is 503 network_unavailable with X-Message-Id and Retry-After, and the message is failed (900003)', async () => {
    const world = await World.start({ env: { NETWORK_BASE_URL: `http://127.0.0.1:${await freePort()}` } });
    try {
      const account = await world.account();
      const contact_phone = uniquePhone();
      await openWindow(world, account.phone, contact_phone);
      // Enough to open the circuit: sends that are not even attempted fail in the same way.
      for (let sends = 0; sends < 7; sends += 1) {
        const fields = { contact_phone, message_type: 'text', message: 'Hi' };
        const { status, body, headers } = await account.api.post(SEND_MESSAGE, fields);
        expect(status).toBe(503);
        expect(body).toEqual({
          error: 'network_unavailable',
          message: expect.stringMatching(/^the message was not sent: the network could not be reached/),
        });
        expect(headers.get('x-message-id')).toMatch(UUID);
        expect(headers.get('retry-after')).toBe('1');
        expect(await recordOf(account, headers.get('x-message-id'))).toMatchObject({
          status: 'failed',
          error_code: 900003,
        });
      }
    } finally {
      await world.stop();
    }
  });
});
