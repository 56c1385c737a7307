import pg from 'pg';
import { sendCampaign } from '../messages/campaign-messages.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { PATIENT } from './campaigns.js';

const RECIPIENTS = 200;

/** Inserts and updates of a table, over all partitions; `hot` updates touched no index. */
interface Writes {
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
}

describe('the row writes of a campaign', () => {
  let world: World;
  let account: TestAccount;
  let client: pg.Client;

  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl, env: PATIENT });
    account = await world.account();
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await world.simulator.behave({ statuses: [] });
    await sendCampaign(world, account, RECIPIENTS);
  });
  afterAll(async () => {
    await client.end();
    await world.stop();
  });

  const writesOf = async (table: string): Promise<Writes> => {
    const { rows } = await client.query<Writes>(
      `SELECT coalesce(sum(n_tup_ins), 0)::int AS inserted, coalesce(sum(n_tup_upd), 0)::int AS updated,
              coalesce(sum(n_tup_hot_upd), 0)::int AS hot
       FROM pg_stat_user_tables WHERE relname ~ ('^' || $1 || '(_[0-9]{6,8})?$')`,
      [table],
    );
    return rows[0] as Writes;
  };
  /** Connections publish their counts about once a second. */
  const settled = (table: string, count: (writes: Writes) => boolean): Promise<Writes> =>
    until(`the writes of ${table} are counted`, async () => {
      const writes = await writesOf(table);
      return count(writes) ? writes : null;
    });

  it('are one insert and one outcome per message, and the outcome touches no index', async () => {
    const writes = await settled('messages', ({ inserted, updated }) => inserted + updated >= 2 * RECIPIENTS);
    expect(writes).toEqual({ inserted: RECIPIENTS, updated: RECIPIENTS, hot: expect.any(Number) });
    expect(writes.hot).toBeGreaterThan(RECIPIENTS * 0.7);
  });

  it('are one update per recipient: its claim, which assigns its message', async () => {
    const writes = await settled(
      'campaign_recipients',
      ({ inserted, updated }) => inserted + updated >= 2 * RECIPIENTS,
    );
    expect(writes).toMatchObject({ inserted: RECIPIENTS, updated: RECIPIENTS });
  });

  it('are one conversation, one network id and one event per message', async () => {
    for (const table of ['conversations', 'network_messages', 'events']) {
      expect(await settled(table, ({ inserted }) => inserted >= RECIPIENTS)).toMatchObject({
        inserted: RECIPIENTS,
        updated: 0,
      });
    }
  });

  it('are one ledger entry for all credits', async () => {
    const { rows } = await client.query('SELECT kind, amount::int FROM wallet_entries ORDER BY id');
    expect(rows).toEqual([
      { kind: 'credit', amount: 1_000_000 },
      { kind: 'reserve', amount: -RECIPIENTS },
    ]);
  });

  it('leave nothing in flight', async () => {
    const { rows } = await client.query('SELECT count(*)::int AS batches FROM sends_in_flight');
    expect(rows).toEqual([{ batches: 0 }]);
  });
});
