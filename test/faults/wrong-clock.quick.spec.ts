import { timeOfRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { type FaultAccount, type FaultService, FaultStack } from './fault-stack.js';
import { wrongClock } from './process-clock.js';

jest.setTimeout(900_000);

const RECIPIENTS = 200;
/** Messages per second, so that the campaign takes several seconds. */
const THROUGHPUT = 40;
/** By how much a process may misjudge the database's clock; far less than any clock error. Milliseconds. */
const MISJUDGED_MS = 30_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a process with a wrong clock', () => {
  let stack: FaultStack;
  let receiver: Receiver;
  beforeEach(async () => {
    // Leases and horizons are far shorter than the clock errors.
    stack = await FaultStack.start({ UNKNOWN_OUTCOME_HORIZON: '30' });
    receiver = await Receiver.listen();
  });
  afterEach(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const accountOf = async (service: FaultService): Promise<FaultAccount> => {
    const account = await stack.account(service, { throughput: THROUGHPUT });
    await subscribe(account, { url: receiver.url() });
    return account;
  };
  const statsOf = async ({ api }: FaultAccount, id: string) =>
    (await api.get<Record<string, unknown>>(`/api/v1/campaigns/${id}/stats`)).body;
  const sent = (account: FaultAccount, id: string, count: number) =>
    until('some are sent', async () => Number((await statsOf(account, id))['sent_count']) >= count);

  /** Sends one message and waits for its message.read webhook. */
  const sendAndRead = async ({ api, template }: FaultAccount): Promise<void> => {
    const before = Date.now();
    const { status, body } = await api.post<{ message_id: string }>('/api/v1/messages/send', {
      template_name: template,
      contact_phone: uniquePhone(),
    });
    expect(status).toBe(200);
    const after = Date.now();
    const at = timeOfRecordId(body.message_id).getTime();
    expect([at >= before - MISJUDGED_MS, at <= after + MISJUDGED_MS]).toEqual([true, true]);
    await until('message.read is delivered', () =>
      receiver.received.some((event) => event.body.includes(body.message_id) && event.body.includes('.read')),
    );
  };

  /** Expects that every recipient was sent to once and has read it, and that nothing failed even temporarily. */
  const expectAllWell = async (account: FaultAccount, id: string): Promise<void> => {
    await until('every recipient has read it', async () => {
      const { campaign_status, read_count } = await statsOf(account, id);
      return campaign_status === 'completed' && Number(read_count) >= RECIPIENTS;
    });
    expect(await statsOf(account, id)).toMatchObject({
      sent_count: RECIPIENTS,
      read_count: RECIPIENTS,
      failed_count: 0,
    });
    const reached = (await stack.simulator.ledger(account.phone.phoneNumberId)).map(({ to }) => to);
    expect(new Set(reached).size).toBe(reached.length);
    const [events] = await stack.query<{ failed: string; late: string }>(
      `SELECT count(*) FILTER (WHERE kind = 'message.failed') AS failed,
              count(*) FILTER (WHERE abs(extract(epoch FROM occurred_at - now())) > 600) AS late
       FROM events WHERE account_id = $1`,
      [account.accountId],
    );
    expect(events).toEqual({ failed: '0', late: '0' });
    await until('nothing is in flight', async () => (await stack.query('SELECT FROM sends_in_flight')).length === 0);
  };

  it('that is two minutes ahead works together with one two minutes behind and one whose clock is right', async () => {
    const clocks = [2 * MINUTE, -2 * MINUTE, 0];
    const services = await Promise.all(
      clocks.map((wrongBy) => stack.service(wrongClock({ WRONG_CLOCK_MS: String(wrongBy) }))),
    );
    await stack.callBack(services[0] as FaultService);
    const account = await accountOf(services[0] as FaultService);
    /** From each process, while another one receives the network's callbacks. */
    const sendFromEach = async (): Promise<void> => {
      for (const [index, { baseUrl }] of services.entries()) {
        await stack.callBack(services[(index + 1) % services.length] as FaultService);
        await sendAndRead({ ...account, api: new ApiClient(baseUrl, account.apiKey) });
      }
    };
    const { id } = await stack.campaign(account, RECIPIENTS);
    await sent(account, id, 10);
    await sendFromEach();
    await expectAllWell(account, id);
    await sendFromEach();
  });

  it('that jumps an hour ahead and back works without interruption', async () => {
    const jumps = [HOUR, -HOUR, -HOUR, HOUR];
    const service = await stack.mainService(wrongClock({ CLOCK_JUMPS_MS: jumps.join(',') }));
    const account = await accountOf(service);
    const { id } = await stack.campaign(account, RECIPIENTS);
    let wrongBy = 0;
    for (const [index, jump] of jumps.entries()) {
      await sent(account, id, 10 + 30 * index);
      service.process.signal('SIGUSR2');
      wrongBy += jump;
      // It comes back to where it was.
      const said = () =>
        [...service.process.output.matchAll(/the clock is wrong by (-?\d+) ms/g)].map(([, by]) => Number(by));
      await until('the clock has jumped', () => said().length > index);
      expect(said()[index]).toBe(wrongBy);
      await sendAndRead(account);
    }
    await expectAllWell(account, id);
  });
});
