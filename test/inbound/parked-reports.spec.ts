import { newRecordId } from '../../src/values/record-id.js';
import { openWindow, type Report, recordOf, report, SEND_MESSAGE, untilStatus } from '../messages/messages.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

const BACKLOG = 20_000;

/** A parked report, at the moment it was read; times in seconds. */
interface Parked {
  readonly networkMessageId: string;
  /** Until it is looked at again; negative if that is due. */
  readonly lookIn: number;
  /** Since it was received. */
  readonly age: number;
}

describe('a report about an unknown message', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });
  afterEach(() =>
    world.unitOfWork.autocommit.affected('DELETE FROM parked_reports WHERE account_id = $1', [account.accountId]),
  );

  const sendReports = (...reports: Report[]) => report(world, account.phone.phoneNumberId, ...reports);
  const parked = (): Promise<Parked[]> =>
    world.unitOfWork.autocommit.rows<Parked>(
      `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
       SELECT network_message_id, extract(epoch FROM look_at - clock.now)::float8 AS look_in,
              extract(epoch FROM clock.now - received_at)::float8 AS age
       FROM parked_reports, clock WHERE account_id = $1 ORDER BY id`,
      [account.accountId],
    );
  /** Parks due reports that match nothing, received `age` seconds ago. */
  const park = (count: number, age: number): Promise<number> =>
    world.unitOfWork.autocommit.affected(
      `INSERT INTO parked_reports (account_id, id, network_message_id, report, received_at, look_at)
       SELECT $1::uuid, new_record_id(), 'wamid.' || $2::text || '.' || n, json_build_object('status', n),
              now() - $3::float8 * interval '1 second', now()
       FROM generate_series(1, $4::int) AS n`,
      [account.accountId, uniqueDigits(), age, count],
    );
  const noneIsDue = (): Promise<Parked[]> =>
    until('no report is due', async () => {
      const all = await parked();
      return all.length > 0 && all.every(({ lookIn }) => lookIn > 0) && all;
    });

  /** A message without a network id so far. */
  async function sentUnknown(): Promise<{ id: string; networkId: string }> {
    const contact = uniquePhone();
    await openWindow(world, account.phone, contact);
    const fields = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    const { body } = await account.api.post(SEND_MESSAGE, fields);
    const id = String(body['message_id']);
    const { network_message_id } = await recordOf(account, id);
    await forget(String(network_message_id));
    return { id, networkId: String(network_message_id) };
  }
  const forget = (networkId: string) =>
    world.unitOfWork.autocommit.affected(
      'DELETE FROM network_messages WHERE account_id = $1 AND network_message_id = $2',
      [account.accountId, networkId],
    );
  const linkNetworkId = (networkId: string, messageId: string, accountId = account.accountId) =>
    world.unitOfWork.autocommit.affected(
      `INSERT INTO network_messages (account_id, network_message_id, message_id, outbound) VALUES ($1, $2, $3, true)`,
      [accountId, networkId, messageId],
    );

  it('is applied with its price within two seconds of its message becoming known, then deleted', async () => {
    const { id, networkId } = await sentUnknown();
    const pricing = { category: 'service', pricing_model: 'PMP', billable: false, type: 'free_customer_service' };
    expect(await sendReports({ id: networkId, status: 'delivered', pricing }, { id: networkId, status: 'read' })).toBe(
      200,
    );
    const waiting = await parked();
    expect(waiting).toHaveLength(2);
    // Due within a second while it is new, and what is due is found within another one.
    for (const { age, lookIn } of waiting) expect(lookIn).toBeLessThanOrEqual(Math.max(1, age));
    await linkNetworkId(networkId, id);
    expect(await untilStatus(account, id, 'read')).toMatchObject({ pricing });
    await until('nothing is parked', async () => (await parked()).length === 0);
  });

  it('stays parked while only another account or an inbound message has its network id', async () => {
    const other = await world.account();
    const inbound = await openWindow(world, account.phone, uniquePhone());
    const networkId = `wamid.${uniqueDigits()}`;
    await linkNetworkId(networkId, newRecordId(), other.accountId);
    await sendReports({ id: networkId, status: 'read' }, { id: inbound, status: 'read' });
    await until('it has been looked at', async () => {
      const all = await parked();
      return all.length === 2 && all.every(({ age, lookIn }) => age + lookIn > 1.5) && all;
    });
    expect(await parked()).toHaveLength(2);
  });

  it.each([
    ['a moment', 0, 1],
    ['40 seconds', 40, 40],
    ['20 minutes', 1200, 1200],
    ['3 days', 3 * 86_400, 3600],
  ])('that is %s old is retried after as long again, at least every hour', async (_, age, wait) => {
    await park(1, age);
    const [found = { lookIn: Number.NaN, age: Number.NaN }] = await noneIsDue();
    // When it was looked at, it was at least `age` seconds old and no older than now.
    expect(found.age + found.lookIn).toBeGreaterThanOrEqual(age + wait);
    expect(found.lookIn).toBeLessThanOrEqual(Math.min(3600, Math.max(1, found.age)));
  });

  it('does not delay others or load the database: a backlog is retried once and then left alone', async () => {
    await park(BACKLOG, 1800);
    const looked = await noneIsDue();
    expect(looked).toHaveLength(BACKLOG);
    expect(Math.min(...looked.map(({ age, lookIn }) => age + lookIn))).toBeGreaterThanOrEqual(2 * 1800);

    const { id, networkId } = await sentUnknown();
    const backlog = async () =>
      world.unitOfWork.autocommit.row(
        `SELECT count(*)::int AS rows, count(DISTINCT xmin::text)::int AS writes, min(look_at) AS first, max(look_at) AS last
         FROM parked_reports WHERE account_id = $1 AND network_message_id <> $2`,
        [account.accountId, networkId],
      );
    const before = await backlog();
    await sendReports({ id: networkId, status: 'read' });
    await until('it has been looked at twice', async () => {
      const own = (await parked()).find(({ networkMessageId }) => networkMessageId === networkId);
      return own !== undefined && own.age + own.lookIn > 2.5;
    });
    await linkNetworkId(networkId, id);
    await untilStatus(account, id, 'read');
    expect(await backlog()).toEqual(before);
  });

  it('is deleted after 7 days', async () => {
    await park(3, 7 * 86_400 + 1);
    await park(1, 6 * 86_400);
    await until('the old ones are gone', async () => (await parked()).length === 1);
    expect((await parked())[0]?.age).toBeLessThan(6.1 * 86_400);
  });
});
