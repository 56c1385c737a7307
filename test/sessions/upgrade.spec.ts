import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MANIFEST } from '../../src/rooms.js';
import { UserPasswordsService } from '../../src/sessions/user-passwords.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { answerOf } from '../cli/command-line.js';
import { freshDatabase } from '../support/database.js';
import { type TestAccount, World } from '../support/world.js';
import { Browser, PASSWORD } from './browser.js';

const FIRST_WITH_SESSIONS = 'CreateSessions1790000000119';

/** Until then an organisation could have the same address in different cases. */
describe('an upgrade of a database with agents whose addresses differ only in case', () => {
  let world: World;
  let account: TestAccount;
  const ids = [newRecordId(), newRecordId(), newRecordId()];
  const addresses = ['ada@shop.example', 'Ada@Shop.example', 'grace@shop.example'];

  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    const before = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    account = await before.account();
    await before.stop();
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 2, ledger: CORE_LEDGER }).initialize();
    try {
      const since = MIGRATIONS.findIndex(({ name }) => name === FIRST_WITH_SESSIONS);
      for (let undone = since; undone < MIGRATIONS.length; undone += 1) {
        await dataSource.undoLastMigration({ transaction: 'each' });
      }
      for (const [place, id] of ids.entries()) {
        await dataSource.query(
          `INSERT INTO users (id, organisation_id, full_name, email, role, created_at)
           VALUES ($1, $2, 'Ada', $3, 'agent', now() + $4 * interval '1 second')`,
          [id, account.organisationId, addresses[place], place],
        );
      }
    } finally {
      await dataSource.destroy();
    }
    await migrate(databaseUrl, MANIFEST);
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  const cli = (...args: string[]) =>
    answerOf({ DATABASE_URL: world.environment.databaseUrl, DATA_DIR: '/nonexistent' }, ...args);

  it('leaves each with the address they have, and marks the later one', async () => {
    const { agents } = (await cli('agents', 'list', '--organisation', String(account.organisationId))) as unknown as {
      agents: { user_id: string; email: string; email_clashes?: true }[];
    };
    const told = agents.map(({ user_id, email, email_clashes }) => [user_id, email, email_clashes]);
    expect(told.slice(0, 3)).toEqual([
      [ids[2], addresses[2], undefined],
      [ids[1], addresses[1], true],
      [ids[0], addresses[0], undefined],
    ]);
  });

  it('lets both in by their passwords, and takes the mark away with the address', async () => {
    const passwords = world.parley.app.get(UserPasswordsService);
    const others = 'eight noisy garden lamps';
    await passwords.set(String(ids[0]), PASSWORD);
    await passwords.set(String(ids[1]), others);
    const who = async (password: string) =>
      (await new Browser(world).signIn({ email: 'ADA@shop.example', password })).body.user?.user_id;
    expect([await who(PASSWORD), await who(others)]).toEqual([ids[0], ids[1]]);
    const changed = await cli('agents', 'set', String(ids[1]), '--email', 'ada.second@shop.example');
    expect(changed).not.toHaveProperty('email_clashes');
  });
});
