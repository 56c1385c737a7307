import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

const PATH = '/api/v1/contacts/import';

describe('parallel imports', () => {
  let world: World;
  let account: TestAccount;
  let other: TestAccount;
  /** Phone number of a contact whose row tests lock. */
  let known: string;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    [account, other] = await Promise.all([world.account(), world.account()]);
    known = uniquePhone();
    await account.api.post('/api/v1/contacts/', { phone_number: known, first_name: 'Ada' });
  });

  const fileOf = (phone: string) => `phone_number,first_name\n${phone},Grace\n`;
  const upload = ({ api }: TestAccount, phone: string, key?: string) =>
    api.post<ImportResponse>(PATH, undefined, {
      raw: fileOf(phone),
      headers: { 'content-type': 'text/csv', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });
  const countOf = async ({ api }: TestAccount) => (await api.get<{ total: number }>('/api/v1/contacts/')).body.total;
  /** Whether an import has claimed its idempotency key: it waits for its turn or runs. */
  const hasClaimed = async (key: string): Promise<boolean> => {
    const claims = await world.unitOfWork.autocommit.rows(
      'SELECT 1 FROM idempotency_keys WHERE account_id = $1 AND idempotency_key = $2',
      [account.accountId, key],
    );
    return claims.length === 1;
  };
  /** Runs `work` while an import of the account is blocked. */
  const whileOneIsStuck = async (work: () => Promise<void>): Promise<void> => {
    let stuck: Promise<unknown> = Promise.resolve();
    await world.unitOfWork.transaction(async (tx) => {
      await tx.rows('SELECT 1 FROM contacts WHERE account_id = $1 AND phone_number = $2 FOR UPDATE', [
        account.accountId,
        known,
      ]);
      stuck = upload(account, known, 'stuck');
      await until('the import is running', () => hasClaimed('stuck'));
      await work();
    });
    expect(await stuck).toMatchObject({ status: 200, body: { updated: 1 } });
  };

  it('run one after the other per account, and independently of other accounts', async () => {
    let answered = false;
    let second: Promise<unknown> = Promise.resolve();
    await whileOneIsStuck(async () => {
      second = upload(account, uniquePhone(), 'second').then((answer) => {
        answered = true;
        return answer;
      });
      await until('the second import waits', () => hasClaimed('second'));
      expect(await upload(other, uniquePhone())).toMatchObject({ status: 200, body: { created: 1 } });
      expect(answered).toBe(false);
    });
    expect(await second).toMatchObject({ status: 200, body: { created: 1 } });
    expect(await countOf(account)).toBe(2);
  });

  it('are refused (503) from the fifth of an account on, but not those of other accounts', async () => {
    await whileOneIsStuck(async () => {
      const clients = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const client = await RawConnection.open(world.baseUrl);
          client.head('POST', PATH, {
            authorization: `Bearer ${account.apiKey}`,
            'content-type': 'text/csv',
            'content-length': 1000,
          });
          client.write('phone_number');
          return client;
        }),
      );
      const refused = () => clients.filter(({ statuses }) => statuses.length > 0);
      await until('two are refused', () => refused().length === 2);
      for (const { statuses, text } of refused()) {
        expect(statuses).toEqual([503]);
        expect(text).toMatch(/^retry-after: 10/im);
        expect(text).toContain('4 uploads of the account are open, the maximum; nothing was imported');
      }
      expect(await upload(other, uniquePhone())).toMatchObject({ status: 200 });
      for (const client of clients) client.drop();
    });
    expect(await upload(account, uniquePhone())).toMatchObject({ status: 200 });
  });

  it('are dropped when their client disconnects while they wait', async () => {
    await whileOneIsStuck(async () => {
      const client = await RawConnection.open(world.baseUrl);
      const file = fileOf(uniquePhone());
      client.head('POST', PATH, {
        authorization: `Bearer ${account.apiKey}`,
        'content-type': 'text/csv',
        'content-length': file.length,
        'idempotency-key': 'left',
      });
      client.write(file);
      await until('its file waits', () => hasClaimed('left'));
      client.drop();
      await until('nobody waits for it', async () => !(await hasClaimed('left')));
    });
    expect(await upload(account, uniquePhone())).toMatchObject({ status: 200, body: { created: 1 } });
    expect(await countOf(account)).toBe(2);
  });

  it('do not wait for an upload that is still in progress', async () => {
    const clients = await Promise.all(
      [account, account, other].map(async ({ apiKey }) => {
        const client = await RawConnection.open(world.baseUrl);
        client.head('POST', PATH, {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'text/csv',
          'content-length': 1000,
        });
        client.write('phone_number,first_name\n');
        return client;
      }),
    );
    expect(await upload(account, uniquePhone())).toMatchObject({ status: 200, body: { created: 1 } });
    for (const client of clients) client.drop();
  });
});
