import { until } from '../support/until.js';
import { FaultStack } from './fault-stack.js';
import { pause } from './pause.js';

jest.setTimeout(900_000);

const RECIPIENTS = 1600;
/** Messages per second of the phone: in a tenth of a second it sends fewer than {@link MAX_LOST}. */
const THROUGHPUT = 200;
/** Recipients that a killed worker may have claimed and not sent to. */
const MAX_LOST = 32;
/** When the workers are killed: messages that the network has accepted by then, and milliseconds after that. */
const KILLS: readonly (readonly [accepted: number, laterMs: number])[] = [
  [150, 0],
  [400, 40],
  [650, 80],
  [900, 120],
  [1150, 160],
];

describe('kill -9 of the worker that sends from a phone of 200 messages a second', () => {
  let stack: FaultStack;
  beforeAll(async () => {
    stack = await FaultStack.start();
  });
  afterAll(() => stack?.stop());

  it('leaves at most 32 recipients unknown that the network never saw', async () => {
    const api = await stack.mainService({ PARLEY_ROLES: 'api' });
    const account = await stack.account(api, { throughput: THROUGHPUT });
    const accepted = () => stack.simulator.ledger(account.phone.phoneNumberId);
    let worker = await stack.service({ PARLEY_ROLES: 'worker' });
    const campaign = await stack.campaign(account, RECIPIENTS);

    const killedAt: number[] = [];
    for (const [count, laterMs] of KILLS) {
      await until(`${count} are accepted`, async () => (await accepted()).length >= count);
      await pause(laterMs);
      await worker.process.kill();
      killedAt.push(Date.now());
      worker = await stack.service({ PARLEY_ROLES: 'worker' });
    }

    const completed = () =>
      stack.query('SELECT FROM campaigns WHERE id = $1 AND status = $2', [campaign.id, 'completed']);
    await until('the campaign is completed', async () => (await completed()).length === 1);
    const { failed, ledger } = await until('the horizon has settled what was lost, and reports the rest', async () => {
      const rows = await stack.query<{ id: string; error_code: number; status: string; created_at: Date }>(
        "SELECT id, error_code, status, created_at FROM messages WHERE campaign_id = $1 AND status IN ('pending', 'failed')",
        [campaign.id],
      );
      const entries = await accepted();
      const known = new Set(entries.map((entry) => entry.biz_opaque_callback_data));
      const isSettled = rows.every(({ id, status }) => status === 'failed' && !known.has(id));
      return isSettled && known.size + rows.length >= RECIPIENTS ? { failed: rows, ledger: entries } : null;
    });
    const sent = new Set(ledger.map((entry) => entry.biz_opaque_callback_data));
    expect(sent.size).toBe(ledger.length);
    expect(failed.filter(({ error_code }) => error_code !== 900002)).toEqual([]);
    expect(sent.size + failed.length).toBe(RECIPIENTS);
    const lostAt = (kill: number): number =>
      failed.filter(({ created_at }) => killedAt.findIndex((at) => created_at.getTime() <= at) === kill).length;
    expect(killedAt.map((_, kill) => lostAt(kill)).filter((lost) => lost > MAX_LOST)).toEqual([]);
  });
});
