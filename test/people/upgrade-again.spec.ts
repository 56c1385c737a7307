import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MANIFEST } from '../../src/rooms.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { World } from '../support/world.js';
import { createContact, merge } from './merging.js';

const FIRST_WITH_KEYS = 'CreateNumberKeys1790000000088';

interface Row {
  readonly id: string;
  readonly phone_number: string | null;
  readonly merged_into: string | null;
}

describe('a database that goes back to a release without keys, and forth again', () => {
  let databaseUrl: string;
  let accountId: string;
  let session: ForeignSession;
  let ids: string[];
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    const world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    try {
      const account = await world.account();
      ({ accountId } = account);
      ids = [];
      for (let made = 0; made < 4; made += 1) ids.push((await createContact(account)).id);
      await merge(world, account, ids[0] ?? '', ids[1] ?? '');
    } finally {
      await world.stop();
    }
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 2, ledger: CORE_LEDGER }).initialize();
    try {
      const since = MIGRATIONS.findIndex(({ name }) => name === FIRST_WITH_KEYS);
      for (let undone = since; undone < MIGRATIONS.length; undone += 1) {
        await dataSource.undoLastMigration({ transaction: 'each' });
      }
    } finally {
      await dataSource.destroy();
    }
    session = await ForeignSession.open(databaseUrl);
  });
  afterAll(() => session.close());

  const rowOf = async (id: string | undefined): Promise<Row | undefined> =>
    (
      await session.query<Row>('SELECT id, phone_number, merged_into FROM contacts WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
      ])
    )[0];

  it('has no number at contacts that the old release finds nobody by', async () => {
    expect(await rowOf(ids[1])).toMatchObject({ phone_number: null, merged_into: ids[0] });
    expect(await rowOf(ids[0])).toMatchObject({ merged_into: null });
  });

  it('leads from every merged contact to the last one in one step, whatever the old release did', async () => {
    const [first, second, third, fourth] = ids;
    for (const [gone, kept] of [
      [third, fourth],
      [fourth, first],
    ]) {
      await session.query(
        `UPDATE contacts SET merged_into = $3, phone_number = NULL, deleted_at = now() WHERE account_id = $1 AND id = $2`,
        [accountId, gone, kept],
      );
    }
    await migrate(databaseUrl, MANIFEST);
    for (const gone of [second, third, fourth]) expect(await rowOf(gone)).toMatchObject({ merged_into: first });
  });
});
