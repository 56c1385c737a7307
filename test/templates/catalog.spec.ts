import { BusinessPhonesService } from '../../src/accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { TemplateCatalogService } from '../../src/templates/rendering/template-catalog.service.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { CREATE } from './upstream.js';

const body = { text: 'Hello' };

describe('the template cache of senders', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
  });
  afterAll(() => world.stop());

  const create = async ({ api }: TestAccount, name: string) => {
    const created = await api.post<{ template_id: string; meta_template_id: string }>(CREATE, {
      name,
      category: 'UTILITY',
      body,
    });
    expect(created.status).toBe(201);
    return created.body;
  };
  /** The catalog of another process that refreshed the configuration just now and not since. */
  const elsewhere = async () => {
    const epoch = new ConfigurationChanges(world.unitOfWork);
    await epoch.refresh();
    return new TemplateCatalogService(world.unitOfWork, world.parley.app.get(BusinessPhonesService), epoch);
  };
  const setStatus = ({ accountId }: TestAccount, status: string) =>
    world.unitOfWork.autocommit.affected(
      'UPDATE templates SET status = $2, network_status = $2 WHERE account_id = $1',
      [accountId, status],
    );
  const byName = (name: string, language: string | null = null) => ({ name, language, phone: null });

  it('does not refuse a template that was just approved', async () => {
    const account = await world.account();
    const { template_id } = await create(account, 'order');
    const catalog = await elsewhere();
    await expect(catalog.findForSending(account.accountId, byName('order'))).rejects.toThrow('is not approved');
    await setStatus(account, 'APPROVED');
    await expect(catalog.findForSending(account.accountId, byName('order'))).resolves.toMatchObject({
      id: template_id,
      status: 'APPROVED',
    });
    await expect(catalog.findForCampaign(account.accountId, byName('order'))).resolves.toMatchObject({
      id: template_id,
    });
  });

  it('finds a template that was just created', async () => {
    const account = await world.account();
    const catalog = await elsewhere();
    await expect(catalog.findByName(account.accountId, byName('order'))).rejects.toThrow('was not found');
    const { template_id } = await create(account, 'order');
    await expect(catalog.findByName(account.accountId, byName('order'))).resolves.toMatchObject({ id: template_id });
  });

  it('still refuses what the table refuses', async () => {
    const account = await world.account();
    await create(account, 'order');
    const catalog = await elsewhere();
    await expect(catalog.findForSending(account.accountId, byName('order'))).rejects.toThrow(
      'template order (en_US) is not approved: its status is PENDING',
    );
    await expect(catalog.findForSending(account.accountId, byName('order', 'de'))).rejects.toThrow(
      'template order was not found in de: it exists in en_US',
    );
  });

  it('is invalidated by a review callback: pausing or disabling refuses sends immediately (400)', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account, 'order');
    const send = async () => {
      const message = { template_name: 'order', contact_phone: uniquePhone() };
      const { status, body: answer } = await account.api.post('/api/v1/messages/send', message);
      return status === 200 ? 'sent' : `${status} ${answer.message}`;
    };
    const refusal = (status: string, word: string) =>
      `400 template order (en_US) is not approved: its status is ${status} (the network says ${word})`;
    const decide = (decision: string) => world.simulator.review(meta_template_id, decision);
    expect(await send()).toBe('400 template order (en_US) is not approved: its status is PENDING');
    await decide('approve');
    expect(await send()).toBe('sent');
    await decide('pause');
    expect(await send()).toBe(refusal('PENDING', 'PAUSED'));
    await decide('approve');
    expect(await send()).toBe('sent');
    await decide('disable');
    expect(await send()).toBe(refusal('REJECTED', 'DISABLED'));
    await account.api.delete(`/api/v1/templates/${template_id}`);
    expect(await send()).toBe('404 template order was not found');
  });
});
