import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { ImportSlots } from '../../src/contacts/files/import-slots.js';
import { UploadFile } from '../../src/contacts/files/upload-file.js';
import { BULK_STATEMENT_MS } from '../../src/database/connections/deadlines.js';
import { HeldTimers } from '../support/held-timers.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

const PATH = '/api/v1/contacts/import';
/** How long an upload may be silent, and a file may wait for its turn. */
const PATIENCE_MS = 30_000;

describe('parallel imports', () => {
  let world: World;
  let account: TestAccount;
  let other: TestAccount;
  /** Phone number of a contact. */
  let known: string;
  let patience: HeldTimers;
  let clients: RawConnection[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  afterEach(() => {
    for (const client of clients) client.drop();
    patience.letGo();
  });
  beforeEach(async () => {
    patience = HeldTimers.of(PATIENCE_MS);
    clients = [];
    [account, other] = await Promise.all([world.account(), world.account()]);
    known = uniquePhone();
    await account.api.post('/api/v1/contacts/', { phone_number: known, first_name: 'Ada' });
  });

  const connect = async (): Promise<RawConnection> => {
    const client = await RawConnection.open(world.baseUrl);
    clients.push(client);
    return client;
  };
  /** An upload that stalls after its first bytes. Its body is of this length. */
  const stalledUpload = async (
    { apiKey }: TestAccount,
    { type, start, length } = { type: 'text/csv', start: 'phone_number', length: 1000 },
  ): Promise<RawConnection> => {
    const client = await connect();
    client.head('POST', PATH, { authorization: `Bearer ${apiKey}`, 'content-type': type, 'content-length': length });
    client.write(start);
    return client;
  };
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
  /**
   * Runs `work` while an import of the account has its turn and does not come to its end. A locked row would hold it for
   * no more than two seconds.
   */
  const whileOneIsStuck = async (work: () => Promise<void>): Promise<void> => {
    const { unitOfWork } = world;
    const transaction = unitOfWork.transaction.bind(unitOfWork);
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let isStuck = false;
    const imports = jest.spyOn(unitOfWork, 'transaction').mockImplementation(async (run, options) => {
      if (!isStuck && options?.statementMs === BULK_STATEMENT_MS) {
        isStuck = true;
        await mayGoOn;
      }
      return transaction(run, options);
    });
    const stuck = upload(account, known, 'stuck');
    try {
      await until('the import is running', () => isStuck);
      await work();
    } finally {
      goOn();
      imports.mockRestore();
    }
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

  it('read their file only when it is their turn', async () => {
    const waits = jest.spyOn(ImportSlots.prototype, 'run');
    const reads = jest.spyOn(UploadFile.prototype, 'read');
    let second: Promise<unknown> = Promise.resolve();
    try {
      await whileOneIsStuck(async () => {
        const before = reads.mock.calls.length;
        second = upload(account, uniquePhone());
        await until('the second import waits', () => waits.mock.calls.length >= 2);
        expect(reads).toHaveBeenCalledTimes(before);
      });
      expect(await second).toMatchObject({ status: 200, body: { created: 1 } });
    } finally {
      reads.mockRestore();
      waits.mockRestore();
    }
  });

  it('are refused (503) from the fifth of an account on, but not those of other accounts', async () => {
    await whileOneIsStuck(async () => {
      const five = await Promise.all(Array.from({ length: 5 }, () => stalledUpload(account)));
      const refused = () => five.filter(({ text }) => text.includes('nothing was imported'));
      await until('two are refused', () => refused().length >= 2);
      for (const { statuses, text } of refused()) {
        expect(statuses).toEqual([503]);
        expect(text).toMatch(/^retry-after: 10/im);
        expect(text).toContain('4 uploads of the account are open, the maximum; nothing was imported');
      }
      expect(await upload(other, uniquePhone())).toMatchObject({ status: 200 });
      expect(five.filter(({ statuses }) => statuses.length > 0)).toHaveLength(2);
      for (const client of five) client.drop();
    });
    expect(await upload(account, uniquePhone())).toMatchObject({ status: 200 });
  });

  const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  it.each([
    { type: 'text/csv', before: '', after: '' },
    { type: 'multipart/form-data; boundary=b', before: PART, after: '\r\n--b--\r\n' },
  ])('give way to an account with fewer when all 32 places are taken ($type)', async ({ type, before, after }) => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => world.account()));
    const start = `${before}phone_number`;
    const body = before + fileOf(uniquePhone()) + after;
    const stalled = { type, start, length: body.length };
    const slow: RawConnection[] = [];
    for (const each of accounts) {
      // The refusal of a fifth says that four are open.
      const five = await Promise.all(Array.from({ length: 5 }, () => stalledUpload(each, stalled)));
      const isRefused = ({ statuses }: RawConnection): boolean => statuses.length > 0;
      await until('its four uploads are open', () => five.some(isRefused));
      slow.push(...five.filter((one) => !isRefused(one)));
    }
    expect(slow).toHaveLength(32);
    expect(slow.flatMap(({ statuses }) => statuses)).toEqual([]);
    expect(await upload(other, uniquePhone())).toMatchObject({ status: 200, body: { created: 1 } });
    const refused = await until('one is refused', () => slow.find(({ text }) => text.includes('nothing was imported')));
    expect(refused.statuses).toEqual([503]);
    expect(refused.text).toContain('this one was silent longest; nothing was imported, try again shortly');
    expect(refused.text).toMatch(/^retry-after: 10/im);
    // The others go on where they were.
    const others = slow.filter((each) => each !== refused);
    expect(others.flatMap(({ statuses }) => statuses)).toEqual([]);
    others[0]?.write(body.slice(start.length));
    await until('it is imported', () => (others[0]?.statuses.length ?? 0) >= 1);
    expect(others[0]?.statuses).toEqual([200]);
    // What is left of the refused one is dropped.
    refused.write(body.slice(start.length));
    refused.head('GET', '/health/live', { 'content-length': 0 });
    await until('its connection serves the next request', () => refused.statuses.length >= 2);
    expect(refused.statuses).toEqual([503, 200]);
  });

  it('are dropped when their client disconnects while they wait', async () => {
    await whileOneIsStuck(async () => {
      const client = await connect();
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
    const start = 'phone_number,first_name\n';
    for (const each of [account, account, other]) await stalledUpload(each, { type: 'text/csv', start, length: 1000 });
    expect(await upload(account, uniquePhone())).toMatchObject({ status: 200, body: { created: 1 } });
  });
});
