import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { issueKey } from '../../src/accounts/api-key.js';
import { setRestrictions } from '../../src/accounts/business-phone.queries.js';
import { BusinessPhoneRegistryService } from '../../src/accounts/business-phone-registry.service.js';
import { BusinessPhonesService } from '../../src/accounts/business-phones.service.js';
import { createParley, type Parley } from '../../src/bootstrap.js';
import { ConfigurationCache, ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import type { Database, UnitOfWork } from '../../src/database/unit-of-work.js';
import { TemplateCatalogService } from '../../src/templates/rendering/template-catalog.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { openWindow } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

/** Enough rounds that a lucky refresh cannot hide a stale refusal. */
const ROUNDS = 8;

describe('the cached configuration of a process', () => {
  let world: World;
  let second: Parley;
  let urls: string[];
  beforeAll(async () => {
    // Nothing else changes the configuration here: neither other files nor look-ups of phones that tests have added.
    world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
    second = await createParley(world.environment);
    urls = [world.baseUrl, await second.listen()];
  });
  afterAll(async () => {
    await second.close();
    await world.stop();
  });

  afterEach(() => jest.restoreAllMocks());
  /** What was read is trusted for less than a second. From now on it stays new, however slow the machine is. */
  const stopClock = () => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  };
  /** The same unit of work, with control statements that can be counted. */
  const watched = () => {
    const control = Object.create(world.unitOfWork.control) as Database;
    const rows = jest.spyOn(control, 'rows');
    return { unitOfWork: Object.assign(Object.create(world.unitOfWork) as UnitOfWork, { control }), rows };
  };
  const addPhone = (account: TestAccount) =>
    world.parley.app.get(BusinessPhoneRegistryService).add({
      accountId: account.accountId,
      phoneNumberId: `44${uniqueDigits()}`,
      wabaId: account.phone.wabaId,
      phone: uniquePhone(),
    });
  /** An epoch that was refreshed just now and does not refresh itself again. */
  const refreshedOnce = async (unitOfWork = world.unitOfWork) => {
    const epoch = new ConfigurationChanges(unitOfWork);
    await epoch.refresh();
    return epoch;
  };
  const phonesElsewhere = async (unitOfWork = world.unitOfWork) =>
    new BusinessPhonesService(unitOfWork, world.parley.app.get(SecretBox), await refreshedOnce(unitOfWork));

  describe('never rejects what a change has just allowed:', () => {
    it('a key that was just created, on any process', async () => {
      const { accountId } = await world.account();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { key, prefix, secretHash } = issueKey();
        const statuses = () =>
          Promise.all(urls.map(async (url) => (await new ApiClient(url, key).get('/api/v1/agents/')).status));
        if (round < 3) expect(await statuses()).toEqual([401, 401]);
        await world.unitOfWork.autocommit.affected(
          `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, rate_limit, idempotency_family)
           VALUES ($1, $2, 'test', $3, $4, '{agents:read}', 1000, $2)`,
          [accountId, newRecordId(), prefix, secretHash],
        );
        expect(await statuses()).toEqual([200, 200]);
      }
    });

    it('a scope that was just granted to a key', async () => {
      const { accountId, apiKey } = await world.account({ scopes: ['contacts:read'] });
      for (let round = 0; round < ROUNDS; round += 1) {
        await setScopes(accountId, '{contacts:read}');
        const statuses = () =>
          Promise.all(urls.map(async (url) => (await new ApiClient(url, apiKey).get('/api/v1/agents/')).status));
        await world.parley.app.get(ConfigurationChanges).refresh();
        await second.app.get(ConfigurationChanges).refresh();
        expect(await statuses()).toEqual([403, 403]);
        await setScopes(accountId, '{contacts:read,agents:read}');
        expect(await statuses()).toEqual([200, 200]);
      }
    });
    const setScopes = (accountId: string, scopes: string) =>
      world.unitOfWork.autocommit.affected('UPDATE api_keys SET scopes = $2 WHERE account_id = $1', [
        accountId,
        scopes,
      ]);

    it('an account that was just activated', async () => {
      const account = await world.account();
      const directory = world.parley.app.get(AccountDirectoryService);
      const create = async (url: string) =>
        (
          await new ApiClient(url, account.apiKey).post('/api/v1/contacts/', {
            phone_number: uniquePhone(),
            first_name: 'Ada',
          })
        ).status;
      for (let round = 0; round < ROUNDS; round += 1) {
        await directory.suspend(account.accountId);
        await world.parley.app.get(ConfigurationChanges).refresh();
        await second.app.get(ConfigurationChanges).refresh();
        expect(await Promise.all(urls.map(create))).toEqual([403, 403]);
        await directory.activate(account.accountId);
        expect(await Promise.all(urls.map(create))).toEqual([201, 201]);
      }
    });

    it('a phone that was just added', async () => {
      const account = await world.account();
      const contact = uniquePhone();
      const read = (url: string, phoneId: string) =>
        new ApiClient(url, account.apiKey).get(`/api/v1/conversations/${contact}/messages?waba_phone_id=${phoneId}`);
      await openWindow(world, account.phone, contact);
      for (let round = 0; round < ROUNDS; round += 1) {
        const foreign = await Promise.all(urls.map((url) => read(url, newRecordId())));
        expect(foreign.map(({ status }) => status)).toEqual([403, 403]);
        const phoneId = await addPhone(account);
        const answers = await Promise.all(urls.map((url) => read(url, phoneId)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      }
    });

    it('a new phone, whether found by id, as the primary one or by the network’s id', async () => {
      const account = await world.account();
      const phones = await phonesElsewhere();
      const phoneNumberId = `44${uniqueDigits()}`;
      expect(await phones.list(account.accountId)).toHaveLength(1);
      expect(await phones.findByPhoneNumberId(phoneNumberId)).toBeNull();
      const wabaId = `78${uniqueDigits()}`;
      expect(await phones.findAccountOfWaba(wabaId)).toBeNull();
      const { accountId } = account;
      const id = await world.parley.app
        .get(BusinessPhoneRegistryService)
        .add({ accountId, phoneNumberId, wabaId, phone: uniquePhone() });
      expect(await phones.find(accountId, id)).toMatchObject({ id });
      expect(await phones.choose(accountId, id)).toMatchObject({ id });
      expect(await phones.findByPhoneNumberId(phoneNumberId)).toMatchObject({ id });
      expect(await phones.findAccountOfWaba(wabaId)).toBe(accountId);
      await expect(phones.choose(accountId, newRecordId())).rejects.toThrow('no access to business phone');
    });

    it('a business whose ban was just lifted', async () => {
      const { accountId, phone } = await world.account();
      const setBan = (isInForce: boolean) => {
        const news = { DISABLE: { isInForce, until: null, detail: null } };
        return setRestrictions(accountId, phone.wabaId, news, new Date(), world.unitOfWork.autocommit);
      };
      await setBan(true);
      const phones = await phonesElsewhere();
      expect(await phones.primary(accountId)).toMatchObject({ restrictions: [{ type: 'DISABLE' }] });
      await setBan(false);
      expect(await phones.primary(accountId)).toMatchObject({ restrictions: [] });
      expect(await phones.find(accountId, phone.id)).toMatchObject({ restrictions: [] });
    });
  });

  it('answers hits without a query', async () => {
    const { accountId, phone } = await world.account();
    const { unitOfWork, rows } = watched();
    stopClock();
    const phones = await phonesElsewhere(unitOfWork);
    await phones.find(accountId, phone.id);
    rows.mockClear();
    for (let n = 0; n < 20; n += 1) expect(await phones.find(accountId, phone.id)).not.toBeNull();
    expect(rows).not.toHaveBeenCalled();
  });

  it('confirms 1,000 parallel refusals with a few queries', async () => {
    const { accountId } = await world.account();
    const { unitOfWork, rows } = watched();
    stopClock();
    const phones = await phonesElsewhere(unitOfWork);
    await phones.list(accountId);
    rows.mockClear();
    const refusals = Array(1000).fill(null);
    expect(await Promise.all(refusals.map(() => phones.find(accountId, newRecordId())))).toEqual(refusals);
    expect(rows.mock.calls.length).toBeLessThan(10);
  });

  it('confirms 200 parallel sends of an unknown template without reading the templates again', async () => {
    const { accountId } = await world.account();
    stopClock();
    const catalog = new TemplateCatalogService(world.unitOfWork, await phonesElsewhere(), await refreshedOnce());
    const request = { name: 'unknown', language: null, phone: null };
    const reads = jest.spyOn(world.unitOfWork.control.manager, 'find');
    try {
      const sends = Array.from({ length: 200 }, () => catalog.findForSending(accountId, request));
      const outcomes = await Promise.allSettled(sends);
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      expect(reads.mock.calls.length).toBeLessThanOrEqual(2);
    } finally {
      reads.mockRestore();
    }
  });

  it('is confirmed only by a read that starts after the question', async () => {
    const epoch = await refreshedOnce();
    const cache = new ConfigurationCache<number>(epoch);
    const { accountId } = await world.account();
    let loads = 0;
    const load = async () => {
      loads += 1;
      return loads;
    };
    await cache.get('a', load);
    const directory = world.parley.app.get(AccountDirectoryService);
    for (let round = 0; round < 20; round += 1) {
      // A read that is in flight when the change commits may miss it, so it must not count as a confirmation.
      const early = epoch.confirm();
      await directory.suspend(accountId);
      const before = loads;
      expect(await cache.getCurrent('a', load)).toBe(before + 1);
      await early;
    }
  });

  it('is loaded again after a failover to a server without the last changes, and when that one catches up', async () => {
    stopClock();
    const changes = await refreshedOnce();
    const cache = new ConfigurationCache<number>(changes);
    let loads = 0;
    const load = async () => {
      loads += 1;
      return loads;
    };
    const advance = (by: number) =>
      world.unitOfWork.autocommit.affected('UPDATE configuration_epoch SET epoch = epoch + $1', [by]);
    expect(await cache.getCurrent('a', load)).toBe(1);
    await advance(-3);
    expect(await cache.getCurrent('a', load)).toBe(2);
    await advance(3);
    expect(await cache.getCurrent('a', load)).toBe(3);
    expect(await cache.getCurrent('a', load)).toBe(3);
  });

  it('is not trusted after a pause without uses, and is again soon after the next use', async () => {
    const changes = new ConfigurationChanges(world.unitOfWork);
    await changes.onApplicationBootstrap();
    try {
      const { now } = performance;
      jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 750);
      expect(changes.current()).toBeNull();
      const generation = await until('it has been read again', () => changes.current());
      const { accountId } = await world.account();
      await world.parley.app.get(AccountDirectoryService).suspend(accountId);
      await until('it has seen the change', () => {
        const now = changes.current();
        return now !== null && now > generation;
      });
    } finally {
      changes.onApplicationShutdown();
    }
  });

  it('evicts the oldest entry first when it is full', async () => {
    stopClock();
    const cache = new ConfigurationCache<string>(await refreshedOnce(), 2);
    const loaded: string[] = [];
    const get = (key: string) =>
      cache.get(key, async () => {
        loaded.push(key);
        return key;
      });
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
    expect(loaded).toEqual(['a', 'b', 'c', 'a']);
  });
});
