import { BusinessPhoneRegistryService } from '../../src/accounts/business-phone-registry.service.js';
import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { until } from '../support/until.js';
import { uniqueDigits, World } from '../support/world.js';

describe('GET /api/v1/business-phones/', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  it('lists the account’s phones, primary first, with exactly the documented fields', async () => {
    const account = await world.account({ phones: 2, throughput: 1000 });
    const { status, body } = await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      business_phones: account.phones.map(({ id, phoneNumberId, wabaId }, index) => ({
        waba_phone_id: id,
        phone_number_id: phoneNumberId,
        waba_id: wabaId,
        phone: expect.stringMatching(/^[0-9]{7,15}$/),
        throughput: 1000,
        is_primary: index === 0,
        quality: null,
        messaging_limit: null,
        restriction: null,
      })),
      total: 2,
      page: 1,
      limit: 20,
    } satisfies BusinessPhoneListResponse);
  });

  it('answers one page', async () => {
    const { api, phones } = await world.account({ phones: 3 });
    const { body } = await api.get<BusinessPhoneListResponse>('/api/v1/business-phones/?page=2&limit=2');
    expect(body).toMatchObject({ business_phones: [{ waba_phone_id: phones[2]?.id }], total: 3, page: 2, limit: 2 });
  });

  it('shows a phone added by another process within a second and moves the primary flag to it', async () => {
    const account = await world.account();
    const list = async () =>
      (await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/')).body.business_phones;
    await list();
    const added = await world.parley.app.get(BusinessPhoneRegistryService).add({
      accountId: account.accountId,
      phoneNumberId: `44${uniqueDigits()}`,
      wabaId: account.phone.wabaId,
      phone: '4915112345678',
      primary: true,
    });
    const phones = await until('the new phone is listed', async () => {
      const listed = await list();
      return listed.length >= 2 && listed;
    });
    expect(phones.map(({ waba_phone_id, is_primary }) => [waba_phone_id, is_primary])).toEqual([
      [added, true],
      [account.phone.id, false],
    ]);
  });

  it('does not show phones of other accounts', async () => {
    const [one] = await Promise.all([world.account(), world.account()]);
    const { body } = await one.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
    expect(body.business_phones.map(({ waba_phone_id }) => waba_phone_id)).toEqual([one.phone.id]);
  });

  it('requires the scope business_phones:read (403)', async () => {
    const account = await world.account({ scopes: ['agents:read'] });
    const { status, body } = await account.api.get('/api/v1/business-phones/');
    expect({ status, body }).toEqual({
      status: 403,
      body: { error: 'forbidden', message: 'the API key lacks the scope business_phones:read' },
    });
  });
});
