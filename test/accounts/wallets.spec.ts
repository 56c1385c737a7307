import type { DataSource } from 'typeorm';
import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { enterMovement, enterMovements, findBalance, lockWallet } from '../../src/accounts/wallet.queries.js';
import { WalletEntry } from '../../src/accounts/wallet-entry.entity.js';
import { WalletsService } from '../../src/accounts/wallets.service.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { MANIFEST } from '../../src/rooms.js';
import { newRecordId } from '../../src/values/record-id.js';
import { workerDatabase } from '../support/database.js';

describe('wallets', () => {
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  beforeAll(async () => {
    dataSource = await createDataSource({
      url: await workerDatabase(),
      poolSize: 6,
      entities: MANIFEST.entities,
    }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
  });
  afterAll(() => dataSource.destroy());

  const accountWith = async (credits: number) => {
    const { accountId } = await new AccountDirectoryService(unitOfWork).create({ name: 'Saver' });
    await new WalletsService(unitOfWork).credit(accountId, credits);
    return accountId;
  };
  const balanceOf = (accountId: string) => findBalance(accountId, unitOfWork.autocommit);
  const reserve = (accountId: string, credits: number) =>
    unitOfWork.transaction(async (tx) => {
      const balance = await lockWallet(accountId, tx);
      if (balance === null || balance < credits) return false;
      await enterMovement(accountId, { kind: 'reserve', amount: -credits, campaignId: newRecordId() }, tx);
      return true;
    });

  it('never spend the same credit twice under parallel spending', async () => {
    const accountId = await accountWith(10);
    const taken = await Promise.all(Array.from({ length: 5 }, () => reserve(accountId, 4)));
    expect(taken.filter(Boolean)).toHaveLength(2);
    await expect(balanceOf(accountId)).resolves.toBe(2);
  });

  it('take movements of several accounts in one call and ignore those of zero credits', async () => {
    const [one, other] = [await accountWith(10), await accountWith(10)];
    const campaignId = newRecordId();
    await enterMovements(
      [
        { accountId: one, kind: 'refund', amount: 3, campaignId },
        { accountId: other, kind: 'charge', amount: -2, campaignId },
        { accountId: other, kind: 'refund', amount: 0, campaignId },
        { accountId: one, kind: 'charge', amount: -1, campaignId: null },
      ],
      unitOfWork.autocommit,
    );
    await expect(balanceOf(one)).resolves.toBe(12);
    await expect(balanceOf(other)).resolves.toBe(8);
    const entries = await dataSource.manager.findBy(WalletEntry, { accountId: other });
    expect(entries.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
      ['charge', -2],
      ['credit', 10],
    ]);
  });

  it('keep nothing from a failed transaction', async () => {
    const accountId = await accountWith(10);
    const failing = unitOfWork.transaction(async (tx) => {
      await enterMovement(accountId, { kind: 'charge', amount: -5, campaignId: null }, tx);
      await expect(findBalance(accountId, tx)).resolves.toBe(5);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await expect(balanceOf(accountId)).resolves.toBe(10);
  });

  it('do not exist for an unknown account', async () => {
    await expect(unitOfWork.transaction((tx) => lockWallet(newRecordId(), tx))).resolves.toBeNull();
    await expect(balanceOf(newRecordId())).resolves.toBeNull();
  });
});
