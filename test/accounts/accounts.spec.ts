import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import {
  BusinessPhoneRegistryService,
  type NewBusinessPhone,
} from '../../src/accounts/business-phone-registry.service.js';
import { BusinessPhonesService } from '../../src/accounts/business-phones.service.js';
import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { WalletsService } from '../../src/accounts/wallets.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { until } from '../support/until.js';
import { uniqueDigits, World } from '../support/world.js';

describe('accounts', () => {
  let world: World;
  let directory: AccountDirectoryService;
  let wallets: WalletsService;
  let registry: BusinessPhoneRegistryService;
  let phones: BusinessPhonesService;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    const { app } = world.parley;
    directory = app.get(AccountDirectoryService);
    wallets = app.get(WalletsService);
    registry = app.get(BusinessPhoneRegistryService);
    phones = app.get(BusinessPhonesService);
  });
  afterAll(() => world.stop());

  const phoneOf = (accountId: string, more: Partial<NewBusinessPhone> = {}): NewBusinessPhone => ({
    accountId,
    phoneNumberId: `44${uniqueDigits()}`,
    wabaId: `33${uniqueDigits()}`,
    phone: `1202${uniqueDigits().slice(-7)}`,
    ...more,
  });

  describe('account', () => {
    it('gets its own organisation, an owner in it and an empty wallet', async () => {
      const { accountId, organisationId, userId } = await directory.create({ name: 'Acme' });
      const owner = await world.unitOfWork.autocommit.row(
        'SELECT full_name, role, status FROM users WHERE organisation_id = $1 AND id = $2',
        [organisationId, userId],
      );
      expect(owner).toEqual({ fullName: 'Acme', role: 'owner', status: 'active' });
      await expect(wallets.balance(accountId)).resolves.toBe(0);
    });

    it('joins an existing organisation; each account has its own owner', async () => {
      const first = await directory.create({ name: 'Acme North' });
      const second = await directory.create({ name: 'Acme South', organisationId: first.organisationId });
      expect(second.organisationId).toBe(first.organisationId);
      expect(second.userId).not.toBe(first.userId);
    });

    it('can have no organisation', async () => {
      await expect(directory.create({ name: 'Alone', organisationId: null })).resolves.toMatchObject({
        organisationId: null,
      });
    });

    it('is rejected for an unknown organisation and leaves nothing behind', async () => {
      const before = await countAccounts();
      await expect(directory.create({ name: 'Lost', organisationId: newRecordId() })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(countAccounts()).resolves.toBe(before);
    });

    const countAccounts = async () =>
      (await world.unitOfWork.autocommit.row<{ n: number }>('SELECT count(*)::int AS n FROM accounts'))?.n;
  });

  describe('wallet', () => {
    it('writes a ledger row for every credit, and its balance is their sum', async () => {
      const { accountId } = await directory.create({ name: 'Saver' });
      // Each repeats what is refused because the wallet was locked for too long.
      const credit = (amount: number) => until('it is credited', () => wallets.credit(accountId, amount));
      const balances = await Promise.all([1, 2, 3, 4].map(credit));
      expect(Math.max(...balances)).toBe(10);
      const ledger = await world.unitOfWork.autocommit.row(
        "SELECT sum(amount)::int AS sum, count(*)::int AS rows FROM wallet_entries WHERE account_id = $1 AND kind = 'credit'",
        [accountId],
      );
      expect(ledger).toEqual({ sum: 10, rows: 4 });
    });

    it('rejects credits beyond its maximum and writes no row for them', async () => {
      const { accountId } = await directory.create({ name: 'Midas' });
      await wallets.credit(accountId, Number.MAX_SAFE_INTEGER);
      await expect(wallets.credit(accountId, 1)).rejects.toMatchObject({ code: 'bad_request' });
      await expect(wallets.balance(accountId)).resolves.toBe(Number.MAX_SAFE_INTEGER);
      const rows = await world.unitOfWork.autocommit.rows('SELECT id FROM wallet_entries WHERE account_id = $1', [
        accountId,
      ]);
      expect(rows).toHaveLength(1);
    });

    it('is not found for an unknown account', async () => {
      await expect(wallets.balance(newRecordId())).rejects.toMatchObject({ code: 'not_found' });
      await expect(wallets.credit(newRecordId(), 1)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('business phone', () => {
    it('is primary when it is the oldest and none is flagged', async () => {
      const { accountId } = await directory.create({ name: 'Two phones' });
      const wabaId = uniqueDigits();
      const first = await registry.add(phoneOf(accountId, { wabaId }));
      await registry.add(phoneOf(accountId, { wabaId }));
      const listed = await phones.list(accountId);
      expect(listed.map(({ isPrimary }) => isPrimary)).toEqual([true, false]);
      expect(listed[0]?.id).toBe(first);
    });

    it('takes the primary flag over from another', async () => {
      const { accountId } = await directory.create({ name: 'Moving flag' });
      await registry.add(phoneOf(accountId, { primary: true }));
      const second = await registry.add(phoneOf(accountId, { primary: true }));
      const flagged = await world.unitOfWork.autocommit.rows(
        'SELECT id FROM business_phones WHERE account_id = $1 AND is_primary',
        [accountId],
      );
      expect(flagged).toEqual([{ id: second }]);
    });

    it('leaves exactly one primary phone when several are added in parallel', async () => {
      const { accountId } = await directory.create({ name: 'Race' });
      const wabaId = uniqueDigits();
      const add = () => {
        const phone = phoneOf(accountId, { wabaId, primary: true });
        return until('the phone is added', () => registry.add(phone));
      };
      await Promise.all(Array.from({ length: 5 }, add));
      const flagged = await world.unitOfWork.autocommit.rows(
        'SELECT id FROM business_phones WHERE account_id = $1 AND is_primary',
        [accountId],
      );
      expect(flagged).toHaveLength(1);
    });

    it('belongs to one account, and so does its business account', async () => {
      const [one, other] = await Promise.all(['One', 'Other'].map((name) => directory.create({ name })));
      if (one === undefined || other === undefined) throw new Error('two accounts were made');
      const phone = phoneOf(one.accountId);
      await registry.add(phone);
      await expect(registry.add(phoneOf(other.accountId, { wabaId: phone.wabaId }))).rejects.toMatchObject({
        code: 'conflict',
        message: `the waba_id ${phone.wabaId} belongs to another account`,
      });
      const again = phoneOf(other.accountId, { phoneNumberId: phone.phoneNumberId });
      await expect(registry.add(again)).rejects.toMatchObject({
        code: 'conflict',
        message: `the phone_number_id ${phone.phoneNumberId} is already registered`,
      });
      const left = await world.unitOfWork.autocommit.rows(
        'SELECT waba_id FROM business_accounts WHERE account_id = $1',
        [other.accountId],
      );
      expect(left).toEqual([]);
    });

    it('keeps its token encrypted, bound to account and row', async () => {
      const { accountId } = await directory.create({ name: 'Secretive' });
      const id = await registry.add(phoneOf(accountId, { token: 'EAAG-very-secret' }));
      const stored = await world.unitOfWork.autocommit.row<{ accessToken: string }>(
        'SELECT access_token FROM business_phones WHERE account_id = $1 AND id = $2',
        [accountId, id],
      );
      expect(stored?.accessToken).not.toContain('very-secret');
      const phone = await phones.find(accountId, id);
      if (phone === null) throw new Error('the phone was added');
      await expect(phones.token(phone)).resolves.toBe('EAAG-very-secret');
    });

    it('is not found for an unknown account', async () => {
      await expect(registry.add(phoneOf(newRecordId()))).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('API key', () => {
    it('is stored as a hash of its secret part only', async () => {
      const { accountId } = await directory.create({ name: 'Keyed' });
      const { id, key } = await world.parley.app.get(ApiKeysService).issue({ accountId, scopes: ['contacts:read'] });
      expect(key).toMatch(/^pk_live_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
      const row = await world.unitOfWork.autocommit.row<{ row: string }>(
        'SELECT to_jsonb(k)::text AS row FROM api_keys k WHERE account_id = $1 AND id = $2',
        [accountId, id],
      );
      expect(row?.row).toContain(key.slice(8, 20));
      expect(row?.row).not.toContain(key.slice(21));
    });

    it('of another account cannot be revoked', async () => {
      const [one, other] = await Promise.all(['One', 'Other'].map((name) => directory.create({ name })));
      if (one === undefined || other === undefined) throw new Error('two accounts were made');
      const keys = world.parley.app.get(ApiKeysService);
      const { id } = await keys.issue({ accountId: one.accountId, scopes: [] });
      await expect(keys.revoke(other.accountId, id)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('organisation', () => {
    it('rejects a non-member as the agent of the automatic reply', async () => {
      const one = await directory.create({ name: 'One' });
      const other = await directory.create({ name: 'Other' });
      const organisations = world.parley.app.get(OrganisationsService);
      await expect(
        organisations.set(String(one.organisationId), { autoReply: 'Hello', autoReplyUserId: other.userId }),
      ).rejects.toMatchObject({ code: 'bad_request' });
      await organisations.set(String(one.organisationId), { autoReply: 'Hello', autoReplyUserId: one.userId });
    });
  });
});
