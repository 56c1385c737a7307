import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { eventually } from '../support/until.js';
import { World } from '../support/world.js';

describe('what one look-up of a phone brings', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it('is stored at once: its quality with the messaging limit', async () => {
    const account = await world.account();
    const { accountId, phone } = account;
    await world.simulator.addPhone(phone.phoneNumberId, phone.wabaId, '15550001', {
      quality_rating: 'YELLOW',
      messaging_limit: 'TIER_2K',
    });
    const shown = async () =>
      (await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/')).body.business_phones[0];
    const { autocommit } = world.unitOfWork;
    await autocommit.affected('UPDATE business_phones SET look_up_at = now() WHERE account_id = $1', [accountId]);
    await eventually(async () => expect(await shown()).toMatchObject({ quality: 'YELLOW', messaging_limit: 2000 }));
    // Whoever wrote a version of a row is in its xmin.
    const written = await autocommit.row<{ isByOne: boolean }>(
      `SELECT p.xmin = b.xmin AS is_by_one FROM business_phones p JOIN business_accounts b USING (account_id, waba_id)
       WHERE p.account_id = $1`,
      [accountId],
    );
    expect(written).toEqual({ isByOne: true });
  });
});
