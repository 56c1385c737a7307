import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';

const folded = async (world: World, accountId: string): Promise<number | undefined> => {
  const row = await world.unitOfWork.autocommit.row<{ amount: number }>(
    `SELECT amount FROM counters WHERE account_id = $1 AND counter = 'contacts'`,
    [accountId],
  );
  return row?.amount;
};

describe('the total of a list', () => {
  it('is exact immediately without a worker, and folded once one runs', async () => {
    const databaseUrl = await freshDatabase();
    const serving = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    try {
      const { api, accountId } = await serving.account();
      for (let count = 1; count <= 3; count += 1) {
        const made = await api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' });
        expect(made.status).toBe(201);
        expect((await api.get('/api/v1/contacts/')).body).toMatchObject({ total: count });
      }
      expect(await folded(serving, accountId)).toBeUndefined();
      const working = await World.start({ databaseUrl });
      try {
        await until('the changes are folded', async () => (await folded(working, accountId)) === 3);
      } finally {
        await working.stop();
      }
      expect((await api.get('/api/v1/contacts/')).body).toMatchObject({ total: 3 });
    } finally {
      await serving.stop();
    }
  });
});
