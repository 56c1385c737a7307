import { started } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { openWindow, SEND, SEND_MESSAGE } from './messages.js';

describe('a number reaches its owner even if the network puts a country code in front of bare numbers', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [], bare_numbers: 'prefix' });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const recipients = async () => (await world.simulator.ledger(account.phone.phoneNumberId)).map(({ to }) => to);
  const untilSent = () => until('the message is sent', async () => (await recipients()).length > 0);

  it('in a template message', async () => {
    const { name: template_name } = await approvedTemplate(world, account);
    expect(await account.api.post(SEND, { template_name, contact_phone: contact })).toMatchObject({ status: 200 });
    expect(await recipients()).toEqual([contact]);
  });

  it('in a free-form message', async () => {
    await openWindow(world, account.phone, contact);
    const message = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    expect(await account.api.post(SEND_MESSAGE, message)).toMatchObject({ status: 200 });
    expect(await recipients()).toEqual([contact]);
  });

  it('in a campaign', async () => {
    const { name } = await approvedTemplate(world, account);
    await started(account, name, [contact]);
    await untilSent();
    expect(await recipients()).toEqual([contact]);
  });

  it('in an automatic reply', async () => {
    await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1", [
      account.organisationId,
    ]);
    await openWindow(world, account.phone, contact);
    await untilSent();
    expect(await recipients()).toEqual([contact]);
  });
});
