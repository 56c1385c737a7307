import { openWindow } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { PATIENT } from './campaigns.js';

const DAY = 24 * 3_600_000;
/** How much later than planned a message may be on a busy machine, milliseconds. */
const SLACK = 15 * 60_000;

describe('campaigns of a portfolio with a known messaging limit', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ phones: 2 });
    template = await approvedTemplate(world, account);
  });

  const setLimit = async (limit: number): Promise<void> => {
    const told = await world.simulator.callback(
      'business_capability_update',
      { max_daily_conversations_per_business: limit },
      account.phone.wabaId,
    );
    expect(told.callback_status).toBe(200);
  };
  const start = async (phones: string[], fields: Record<string, unknown> = {}): Promise<string> => {
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Limited',
      template_name: template.name,
      contacts: phones.map((phone) => ({ phone })),
      ...fields,
    });
    const id = String(body['campaign_id']);
    expect((await account.api.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    return id;
  };
  const single = (contact_phone: string) =>
    account.api.post('/api/v1/messages/send', { template_name: template.name, contact_phone });
  const stored = async (id: string) =>
    world.unitOfWork.autocommit.row<{ status: string; waitingUntil: Date | null; pending: number }>(
      `SELECT status, waiting_until,
              (SELECT count(*)::integer FROM campaign_recipients r
               WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending') AS pending
       FROM campaigns g WHERE account_id = $1 AND id = $2`,
      [account.accountId, id],
    );
  const change = (sql: string) => world.unitOfWork.autocommit.affected(sql, [account.accountId]);
  const sentTo = async (): Promise<(string | null)[]> => {
    const ledgers = await Promise.all(account.phones.map(({ phoneNumberId }) => world.simulator.ledger(phoneNumberId)));
    return ledgers.flat().map(({ to }) => to);
  };
  /** Waits until only `left` recipients are pending and none is in flight. */
  const settled = (id: string, left: number) =>
    until(`${left} are left`, async () => {
      // In this order, because a recipient that stops pending is in flight from the same moment.
      const now = await stored(id);
      const flying = await world.unitOfWork.autocommit.rows(
        'SELECT id FROM sends_in_flight WHERE account_id = $1 AND lease_until IS NOT NULL',
        [account.accountId],
      );
      return now?.pending === left && flying.length === 0 && now;
    });
  const phones = (count: number): string[] => Array.from({ length: count }, uniquePhone);

  it('stay within it, and continue when a notice raises it', async () => {
    await setLimit(3);
    const id = await start(phones(5));
    const waiting = await settled(id, 2);
    expect(waiting.status).toBe('running');
    // Its own messages have used the limit up.
    await eventually(async () => {
      const { body } = await account.api.get<{ campaign: Record<string, unknown> }>(`/api/v1/campaigns/${id}`);
      const { started_at, waiting_until, waiting_reason } = body.campaign;
      expect(waiting_reason).toBe('messaging_limit');
      expect(Math.abs(Date.parse(String(waiting_until)) - Date.parse(String(started_at)) - DAY)).toBeLessThan(SLACK);
    });
    expect(await sentTo()).toHaveLength(3);
    await setLimit(4);
    await settled(id, 1);
    await setLimit(-1);
    await until('it is completed', async () => (await stored(id))?.status === 'completed');
    expect(await sentTo()).toHaveLength(5);
  });

  it('show until when the rest waits: 24 hours after the first was reached', async () => {
    await setLimit(1);
    const first = await single(uniquePhone());
    expect(first.status).toBe(200);
    const id = await start(phones(1));
    const { waitingUntil } = await settled(id, 1);
    const expected = Date.parse(`${first.body['timestamp']}`) + DAY;
    expect(Math.abs((waitingUntil?.getTime() ?? 0) - expected)).toBeLessThan(SLACK);
    // Simulates that a day has passed.
    await change(`UPDATE messages SET created_at = created_at - interval '25 hours' WHERE account_id = $1`);
    await change('UPDATE campaigns SET closes_at = now() WHERE account_id = $1');
    await settled(id, 0);
  });

  it('show when enough people are free again, if single sends have exceeded it', async () => {
    const sent = [await single(uniquePhone()), await single(uniquePhone()), await single(uniquePhone())];
    await setLimit(2);
    // An hour between them.
    for (const [index, { body }] of sent.entries()) {
      await world.unitOfWork.autocommit.affected(
        `UPDATE messages SET created_at = created_at - $3 * interval '1 hour' WHERE account_id = $1 AND id = $2`,
        [account.accountId, body['message_id'], 3 - index],
      );
    }
    const id = await start(phones(1));
    const { waitingUntil } = await settled(id, 1);
    const expected = Date.now() + DAY - (2 * DAY) / 24;
    expect(Math.abs((waitingUntil?.getTime() ?? 0) - expected)).toBeLessThan(SLACK);
  });

  it('count single sends, which are never held', async () => {
    await setLimit(2);
    await single(uniquePhone());
    const id = await start(phones(3));
    await settled(id, 2);
    const sent = await Promise.all(phones(3).map(single));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await sentTo()).toHaveLength(5);
  });

  it('do not count contacts already reached, in an open service window, or refused by the network', async () => {
    const [reached, talking] = [uniquePhone(), uniquePhone()];
    await openWindow(world, account.phone, talking);
    await setLimit(2);
    await single(reached);
    expect((await single(`49151${uniquePhone().slice(-4)}9990002`)).status).toBe(400);
    const id = await start([...phones(2), talking, reached]);
    await settled(id, 1);
    expect((await sentTo()).sort()).toEqual(expect.arrayContaining([reached, talking]));
    expect(await sentTo()).toHaveLength(4);
  });

  it('share it across phones and campaigns that start together', async () => {
    await setLimit(10);
    const ids = await Promise.all(
      account.phones.flatMap(({ id }) => [
        start(phones(4), { waba_phone_id: id }),
        start(phones(4), { waba_phone_id: id }),
      ]),
    );
    await until('ten are sent', async () => (await sentTo()).length >= 10);
    await until('six wait', async () => {
      const all = await Promise.all(ids.map(stored));
      return all.reduce((sum, now) => sum + (now?.pending ?? 0), 0) === 6;
    });
    expect(await sentTo()).toHaveLength(10);
  });

  it('are held when it becomes known after they start', async () => {
    const [from, to] = [2, 3].map((hours) => new Date(Date.now() + (hours * DAY) / 24).toISOString().slice(11, 16));
    const send_window = { from, to, timezone: 'UTC' };
    const id = await start(phones(3), { send_window });
    await setLimit(2);
    await change(`UPDATE campaigns SET send_window = NULL, closes_at = now() WHERE account_id = $1`);
    await settled(id, 1);
    expect(await sentTo()).toHaveLength(2);
  });

  it('leave their unused share to others when they end', async () => {
    await setLimit(3);
    const first = await start(phones(3), {});
    await settled(first, 0);
    const second = await start(phones(1));
    expect(await settled(second, 1)).toMatchObject({ status: 'running' });
    await change(`UPDATE messages SET status = 'failed', error_code = 131026, accepted_at = NULL, sent_at = NULL
                  WHERE account_id = $1`);
    await change('UPDATE campaigns SET closes_at = now() WHERE account_id = $1');
    await settled(second, 0);
  });
});
