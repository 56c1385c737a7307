import { Connections } from '../../src/database/connections/connections.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import {
  createPartitions,
  PARTITIONED_TABLES,
  type PartitionedTable,
  partitionAt,
} from '../../src/database/schema/partitions.js';
import { awaitDatabase } from '../../src/database/schema/schema-state.js';
import { DAY } from '../../src/values/clock.js';
import { eventsOf, report, SEND, untilStatus } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** Half a year of partitions before the present one. */
const MONTHS_AGO = [1, 2, 3, 4, 5, 6];

// PostgreSQL 18 passes over rows that were changed while a statement waited for them, where it prunes partitions.
describe('a message of this month, after months of others', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let session: ForeignSession;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    const setup = await ForeignSession.open(databaseUrl);
    // The plans of large tables, which look up each row by itself.
    const [{ name } = { name: '' }] = await setup.query<{ name: string }>('SELECT current_database() AS name');
    for (const join of ['hashjoin', 'mergejoin', 'material']) {
      await setup.query(`ALTER DATABASE "${name}" SET enable_${join} = off`);
    }
    await setup.close();
    world = await World.start({ databaseUrl });
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
    const messages = PARTITIONED_TABLES.find(({ table }) => table === 'messages') as PartitionedTable;
    const earlier = MONTHS_AGO.map((months) => partitionAt(messages, new Date(Date.now() - months * 31 * DAY)));
    await createPartitions(world.unitOfWork.pool, messages, earlier);
    session = await ForeignSession.open(databaseUrl);
    // So many messages that each that is named is looked up by itself.
    const { id } = await sent();
    await session.query(
      `INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object(
         'id', overlay(m.id::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)))).*
       FROM messages m CROSS JOIN generate_series(1, 20_000) WHERE m.account_id = $1 AND m.id = $2`,
      [account.accountId, id],
    );
    await session.query('ANALYZE messages');
  });
  afterAll(async () => {
    await session?.close();
    await world?.stop();
  });

  /** Sends a message; returns our id and the network's. */
  async function sent(): Promise<{ readonly id: string; readonly networkId: string }> {
    const { name: template_name } = await approvedTemplate(world, account);
    const { body } = await account.api.post<{ message_id: string }>(SEND, {
      template_name,
      contact_phone: uniquePhone(),
    });
    const { network_message_id } = await untilStatus(account, body.message_id, 'sent');
    return { id: body.message_id, networkId: String(network_message_id) };
  }

  it.each(['by our id', 'by the network’s id'])('gets a report %s that waited for another change', async (named) => {
    const { id, networkId } = await sent();
    await session.query('BEGIN');
    await session.query('UPDATE messages SET content = content WHERE account_id = $1 AND id = $2', [
      account.accountId,
      id,
    ]);
    const answer = report(world, account.phone.phoneNumberId, {
      id: networkId,
      status: 'failed',
      ...(named === 'by our id' ? { biz_opaque_callback_data: id } : {}),
    });
    await session.untilAwaited();
    await session.query('COMMIT');
    expect(await answer).toBe(200);
    const kinds = await until('its events are there', async () => {
      const events = await eventsOf(world, account);
      const own = events.filter(({ message }) => (message as { message_id: string }).message_id === id);
      return own.length > 1 && own.map(({ event }) => event);
    });
    expect(kinds).toEqual(['message.sent', 'message.failed']);
  });

  it('is looked for without pruning wherever something may change', async () => {
    const { control, reads, pipeline, background } = world.parley.app.get(Connections);
    const pools = { control, reads, pipeline, background, writes: world.unitOfWork.pool };
    const prunes: Record<string, string> = {};
    let version = 0;
    for (const [name, pool] of Object.entries(pools)) {
      const { rows } = await pool.query<{ prunes: string; version: number }>(
        `SELECT current_setting('enable_partition_pruning') AS prunes,
                current_setting('server_version_num')::int AS version`,
      );
      prunes[name] = String(rows[0]?.prunes);
      version = rows[0]?.version ?? 0;
    }
    const changing = version >= 180000 ? 'off' : 'on';
    expect(prunes).toEqual({
      control: changing,
      reads: 'on',
      pipeline: changing,
      background: changing,
      writes: changing,
    });
  });

  // There, nothing that Parley sets for a session would last.
  it('is not served behind a pooler until the role says so', async () => {
    const [{ version, role } = { version: 0, role: '' }] = await session.query<{ version: number; role: string }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS version, quote_ident(current_user) AS role",
    );
    const start = (isPooled: boolean) =>
      awaitDatabase({ url: databaseUrl, isPooled }, [CORE_LEDGER], () => undefined).then(
        () => 'starts',
        ({ message }: Error) => message.match(/ALTER ROLE .* = off/)?.[0],
      );
    expect(await start(false)).toBe('starts');
    expect(await start(true)).toBe(version >= 18 ? `ALTER ROLE ${role} SET enable_partition_pruning = off` : 'starts');
    const url = new URL(databaseUrl);
    await session.query(`ALTER DATABASE "${url.pathname.slice(1)}" SET enable_partition_pruning = off`);
    expect(await start(true)).toBe('starts');
  });
});
