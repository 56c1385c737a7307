import { BusinessPhoneRegistryService } from '../../src/accounts/business-phone-registry.service.js';
import { setPhoneFacts } from '../../src/accounts/phone-facts.queries.js';
import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { PhoneRemovalService } from '../../src/connect/phone-removal.service.js';
import { DAY, HOUR } from '../../src/values/clock.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';

describe('what the network reports about a phone', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const phones = async ({ api }: TestAccount) =>
    (await api.get<BusinessPhoneListResponse>('/api/v1/business-phones/')).body.business_phones;
  const makeLookUpDue = (accountId: string) =>
    world.unitOfWork.autocommit.affected('UPDATE business_phones SET look_up_at = now() WHERE account_id = $1', [
      accountId,
    ]);
  const nextLookUps = async (accountId: string): Promise<number[]> => {
    const rows = await world.unitOfWork.autocommit.rows<{ inMs: number }>(
      'SELECT extract(epoch FROM look_up_at)::float8 * 1000 AS in_ms FROM business_phones WHERE account_id = $1',
      [accountId],
    );
    return rows.map(({ inMs }) => inMs - Date.now());
  };

  it('is fetched soon after the phone is added, and shown', async () => {
    const account = await world.account();
    const [phoneNumberId, display] = [`44${uniqueDigits()}`, '4915112345678'];
    const { accountId, phone } = account;
    const reported = { quality_rating: 'YELLOW', throughput_level: 'HIGH', messaging_limit: 'TIER_2K' };
    await world.simulator.addPhone(phoneNumberId, phone.wabaId, display, reported);
    await world.parley.app
      .get(BusinessPhoneRegistryService)
      .add({ accountId, phoneNumberId, wabaId: phone.wabaId, phone: display, primary: true });
    await eventually(async () => {
      const [shown] = await phones(account);
      expect(shown).toMatchObject({ quality: 'YELLOW', throughput: 1000, messaging_limit: 2000 });
    });
  });

  it('is fetched again after a day; phones of one portfolio share a limit', async () => {
    const account = await world.account();
    const { accountId, phone } = account;
    const portfolio_id = `66${uniqueDigits()}`;
    const other = { phoneNumberId: `44${uniqueDigits()}`, wabaId: `77${uniqueDigits()}`, phone: '4915112345679' };
    await world.simulator.addPhone(phone.phoneNumberId, phone.wabaId, '15550001', { portfolio_id });
    await world.simulator.addPhone(other.phoneNumberId, other.wabaId, other.phone, {
      portfolio_id,
      messaging_limit: -1,
    });
    await world.parley.app.get(BusinessPhoneRegistryService).add({ accountId, ...other });
    await makeLookUpDue(accountId);
    await until('both were fetched', async () => (await phones(account)).every(({ quality }) => quality !== null));
    await eventually(async () => {
      for (const inMs of await nextLookUps(accountId)) expect(inMs).toBeGreaterThan(DAY - HOUR);
    });
    await world.simulator.addPhone(other.phoneNumberId, other.wabaId, other.phone, {
      portfolio_id,
      quality_rating: 'RED',
      messaging_limit: 10_000,
    });
    await makeLookUpDue(accountId);
    await eventually(async () => {
      const shown = (await phones(account)).map(({ messaging_limit, quality }) => [messaging_limit, quality]);
      expect(shown).toEqual([
        [10_000, 'GREEN'],
        [10_000, 'RED'],
      ]);
    });
  });

  it('lowers the throughput when the number is also used in the app, and raises it again when that ends', async () => {
    const account = await world.account({ throughput: 80 });
    const { phone, accountId } = account;
    const declare = (is_on_biz_app: boolean) =>
      world.simulator.addPhone(phone.phoneNumberId, phone.wabaId, '15550001', { is_on_biz_app });
    const untilItSends = (throughput: number) =>
      until(`it sends ${throughput} per second`, async () => {
        await makeLookUpDue(accountId);
        return (await phones(account))[0]?.throughput === throughput;
      });
    await declare(true);
    await untilItSends(20);
    await declare(false);
    await untilItSends(80);
  });

  it('is not fetched again once the phone is removed', async () => {
    const { accountId, phone } = await world.account();
    await world.parley.app.get(PhoneRemovalService).remove(accountId, phone.id);
    const tx = world.unitOfWork.autocommit;
    const toldAt = new Date();
    const facts = { quality: 'RED', throughput: { from: 80, to: 20 }, messagingLimit: null, toldAt, lookUpAt: toldAt };
    await setPhoneFacts(accountId, phone.id, facts, tx);
    expect(
      await tx.row('SELECT quality, throughput FROM business_phones WHERE account_id = $1 AND id = $2', [
        accountId,
        phone.id,
      ]),
    ).not.toMatchObject({ quality: 'RED' });
    expect(await nextLookUps(accountId)).toEqual([Number.POSITIVE_INFINITY]);
  });

  it('is fetched again in an hour when the network does not answer', async () => {
    const { accountId, phones: added } = await world.account();
    const [changed] = await world.unitOfWork.autocommit.rows<{ id: string }>(
      `UPDATE business_phones SET phone_number_id = '1' || phone_number_id, look_up_at = now()
       WHERE account_id = $1 RETURNING id`,
      [accountId],
    );
    expect(changed?.id).toBe(added[0]?.id);
    await until('it was tried', async () => (await nextLookUps(accountId)).every((inMs) => inMs > 0));
    for (const inMs of await nextLookUps(accountId)) expect(inMs).toBeLessThan(2 * HOUR);
  });
});
