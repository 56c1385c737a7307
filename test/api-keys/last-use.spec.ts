import { stampLastUsed } from '../../src/accounts/api-key.queries.js';
import { World } from '../support/world.js';

describe('when a key was last used', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'worker' } });
  });
  afterAll(() => world.stop());

  it('does not go back when a process records an earlier use after another has recorded a later one', async () => {
    const { accountId, keyId } = await world.account();
    const { autocommit } = world.unitOfWork;
    const lastUse = async (): Promise<string | undefined> => {
      const key = await autocommit.row<{ lastUsedAt: Date }>(
        'SELECT last_used_at FROM api_keys WHERE account_id = $1 AND id = $2',
        [accountId, keyId],
      );
      return key?.lastUsedAt.toISOString();
    };
    for (const time of ['2026-03-04T10:00:05Z', '2026-03-04T10:00:09Z', '2026-03-04T10:00:07Z'])
      await stampLastUsed([accountId], [keyId], [new Date(time)], autocommit);
    expect(await lastUse()).toBe('2026-03-04T10:00:09.000Z');
  });
});
