import { UNTIDY_ANSWERS, UntidyServer, writeInPieces } from '../egress/untidy-answers.js';
import { eventually } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { emit, event, settledDeliveries, subscribe } from './events.js';

describe('a delivery to a receiver whose answer is untidy', () => {
  let world: World;
  let account: TestAccount;
  let server: UntidyServer;
  let answer: { text: string; ends?: boolean };

  beforeAll(async () => {
    world = await World.start();
    server = await UntidyServer.listen((_, socket) => writeInPieces(socket, [answer.text], answer.ends));
  });
  afterAll(async () => {
    await world.stop();
    await server.close();
  });
  beforeEach(async () => {
    account = await world.account();
    server.requests = 0;
  });

  /** Delivers one event. @returns its only attempt, and what became of it */
  async function delivered(text: string, ends = false) {
    answer = { text, ends };
    const id = await subscribe(account, { url: server.url('hook'), retry_count: 0 });
    await emit(world, [event(account, 1)]);
    const [delivery] = await settledDeliveries(account, id);
    expect(delivery?.attempts).toHaveLength(1);
    expect(server.requests).toBe(1);
    return { id, status: delivery?.status, ...delivery?.attempts[0] };
  }

  it.each([
    'a valid one',
    'a length beside 204',
    'lines that end with LF',
    'a length and chunks',
    'a folded header',
    'an endless header',
    'a control character in a header',
    'the same length twice',
    'more body than its length',
    'a shorter body',
    'nothing but its status',
  ])('is delivered, once, and noted: %s', async (name) => {
    const untidy = UNTIDY_ANSWERS[name];
    expect(await delivered(untidy?.answer ?? '', untidy?.ends)).toMatchObject({
      status: 'delivered',
      status_code: untidy?.status,
      error: null,
      response: untidy?.body,
      note: untidy?.note === null ? null : expect.stringContaining('the response is odd: it has '),
    });
  });

  it('is disabled by an odd 410', async () => {
    const { id, ...attempt } = await delivered('HTTP/1.1 410 Gone\nContent-Length: 2\n\nno');
    expect(attempt).toMatchObject({ status: 'failed', status_code: 410, response: 'no' });
    await eventually(async () => {
      const { body } = await account.api.get<{ webhook: { status: string } }>(`/api/v1/webhooks/${id}`);
      expect(body.webhook.status).toBe('disabled');
    });
  });

  it('is not tried again after an odd 422', async () => {
    answer = { text: 'HTTP/1.1 422 No\r\nX Y: a\r\nContent-Length: 0\r\n\r\n' };
    const id = await subscribe(account, { url: server.url('hook'), retry_count: 10 });
    await emit(world, [event(account, 1)]);
    expect(await settledDeliveries(account, id)).toMatchObject([
      { status: 'failed', attempts: [{ status_code: 422 }] },
    ]);
  });

  it('waits as long as an odd 503 asks', async () => {
    answer = { text: 'HTTP/1.1 503 Busy\nRetry-After: 3000\nContent-Length: 2, 2\n\nno' };
    const id = await subscribe(account, { url: server.url('hook'), retry_count: 10 });
    await emit(world, [event(account, 1)]);
    await eventually(async () => {
      const { body } = await account.api.get<{ deliveries: { next_attempt_at: string; attempts: { at: string }[] }[] }>(
        `/api/v1/webhooks/${id}/deliveries`,
      );
      const [delivery] = body.deliveries;
      const [attempt] = delivery?.attempts ?? [];
      expect(attempt).toMatchObject({ status_code: 503, error: 'the endpoint answered 503' });
      const wait = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(attempt?.at ?? '');
      expect(wait).toBeGreaterThanOrEqual(3_000_000);
    });
  });
});
