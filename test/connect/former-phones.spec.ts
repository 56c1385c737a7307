import { BusinessPhoneRegistryService } from '../../src/accounts/business-phone-registry.service.js';
import { PhoneRemovalService } from '../../src/connect/phone-removal.service.js';
import { SEND } from '../messages/messages.js';
import { type TestAccount, World } from '../support/world.js';

/** Processes of the release before, which knows no removed phones, may run while they are replaced. */
describe('a removed phone, as the release before sees it', () => {
  let world: World;
  let former: TestAccount;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    former = await world.account({ phones: 2 });
    await world.parley.app.get(PhoneRemovalService).remove(former.accountId, former.phone.id);
  });

  /** The account to which the release before gives what the network says of a number. */
  const ownersOf = (phoneNumberId: string) =>
    world.unitOfWork.autocommit.rows('SELECT account_id FROM business_phones WHERE phone_number_id = $1', [
      phoneNumberId,
    ]);
  /** The phones between which the release before chooses, the one that it prefers first. */
  const listed = ({ accountId }: TestAccount) =>
    world.unitOfWork.autocommit.rows<{ id: string; phoneNumberId: string }>(
      `SELECT p.id, p.phone_number_id
       FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
       WHERE p.account_id = $1 ORDER BY p.is_primary DESC, p.created_at, p.id`,
      [accountId],
    );

  it('gets nothing that the network says of its number, whoever has it now', async () => {
    const { phoneNumberId } = former.phone;
    expect(await ownersOf(phoneNumberId)).toEqual([]);
    const heir = await world.account();
    const registry = world.parley.app.get(BusinessPhoneRegistryService);
    await registry.add({ accountId: heir.accountId, phoneNumberId, wabaId: heir.phone.wabaId, phone: '15550002' });
    expect(await ownersOf(phoneNumberId)).toEqual([{ accountId: heir.accountId }]);
  });

  it('is not chosen while there is another, and its id is none of the network’s', async () => {
    const [first, second] = await listed(former);
    expect([first?.id, second?.id]).toEqual([former.phones[1]?.id, former.phone.id]);
    const number = String(second?.phoneNumberId);
    expect(number).toBe(`removed.${former.phone.phoneNumberId}.${former.phone.id}`);
    const answer = await fetch(`${world.environment.network.baseUrl}/v25.0/${number}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: '4915112345678', type: 'text', text: { body: 'hi' } }),
    });
    expect(answer.status).toBe(400);
  });

  it('comes back with its history and its number, and is not the oldest any more', async () => {
    const { accountId, phone } = former;
    const back = { ...phone, accountId, token: 'a-token', phone: '15550003', appId: null, isCoexisting: null };
    const registry = world.parley.app.get(BusinessPhoneRegistryService);
    const id = await world.unitOfWork.transaction((tx) => registry.connect(back, null, tx));
    expect(id).toBe(phone.id);
    expect(await ownersOf(phone.phoneNumberId)).toEqual([{ accountId }]);
    expect((await listed(former)).map((each) => each.id)).toEqual([former.phones[1]?.id, phone.id]);
    const sent = await former.api.post(SEND, {
      template_name: 'none',
      contact_phone: '4915112345678',
      waba_phone_id: id,
    });
    expect(sent.status).not.toBe(403);
  });
});
