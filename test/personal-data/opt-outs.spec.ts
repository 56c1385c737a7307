import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { newEncryptionKey } from '../../src/config/environment.js';
import { draft, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { openWindow, SEND } from '../messages/messages.js';
import { ApiClient, type ApiResponse, impatient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { erase } from './erasing.js';

interface Contact {
  readonly id: string;
  readonly opted_in: boolean;
}

describe('an erased person who had opted out', () => {
  let world: World;
  let account: TestAccount;
  let phone: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    phone = uniquePhone();
  });

  const CONTACTS = '/api/v1/contacts/';
  const create = async (fields: Record<string, unknown> = {}, { api } = account): Promise<Contact> => {
    const { status, body, text } = await api.post<{ contact: Contact }>(CONTACTS, {
      phone_number: phone,
      first_name: 'Ada',
      ...fields,
    });
    if (status !== 201) throw new Error(text);
    return body.contact;
  };
  const found = async ({ api } = account): Promise<Contact | undefined> =>
    (await api.get<{ contacts: Contact[] }>(`${CONTACTS}?search=${phone}`)).body.contacts[0];
  const say = (text: string, more: Record<string, unknown> = {}) =>
    openWindow(world, account.phone, phone, { text, ...more });
  const erased = async (): Promise<string> => {
    const { id } = await create();
    await say('STOP');
    await erase(account, id);
    expect(await found()).toBeUndefined();
    return id;
  };
  const marketing = () =>
    approvedTemplate(world, account, { category: 'MARKETING', body: { text: 'Ten per cent off today' } });

  it('starts opted out when created through the API', async () => {
    const id = await erased();
    const again = await create();
    expect(again).toMatchObject({ opted_in: false });
    expect(again.id).not.toBe(id);
  });

  it('starts opted out when writing again, until they send START', async () => {
    await erased();
    await say('Hello again');
    expect(await found()).toMatchObject({ opted_in: false });
    await say('START');
    expect(await found()).toMatchObject({ opted_in: true });
  });

  it('starts opted out when imported, whatever the file says, which is a warning', async () => {
    await erased();
    const upload = (raw: string) =>
      account.api.post(`${CONTACTS}import`, undefined, { raw, headers: { 'content-type': 'text/csv' } });
    await upload(`phone_number,first_name\n${phone},Ada\n${uniquePhone()},Bo`);
    const imported = await found();
    expect(imported).toMatchObject({ opted_in: false });
    await erase(account, imported?.id ?? '');
    const { body } = await upload(`phone_number,first_name,opted_in\n+${phone},Ada,true`);
    expect(body).toMatchObject({
      created: 1,
      warnings: [{ line: 2, phone_number: `+${phone}`, warning: expect.stringMatching(/^opted_in stays false/) }],
    });
    expect(await found()).toMatchObject({ opted_in: false, first_name: 'Ada' });
  });

  it('gets no marketing template from a single send (400)', async () => {
    await erased();
    const { name } = await marketing();
    const { status, body } = await account.api.post(SEND, { template_name: name, contact_phone: phone });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'contact_opted_out' });
    expect(await world.simulator.ledger(account.phone.phoneNumberId)).toEqual([]);
  });

  it('gets no marketing template from a campaign, while others do', async () => {
    await erased();
    const { name } = await marketing();
    const other = uniquePhone();
    const id = await draft(account, name, [phone, other]);
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await untilCampaign(account, id, 'completed');
    const statuses = new Map((await recipientsOf(account, id)).map((row) => [row.contact_phone, row]));
    expect(statuses.get(phone)).toMatchObject({ status: 'failed', error_code: 900001 });
    expect(statuses.get(other)).toMatchObject({ status: 'sent' });
  });

  it('opts out a contact that is given the number, until an update of this one contact says otherwise', async () => {
    await erased();
    const { id } = await create({ phone_number: uniquePhone() });
    const change = async (fields: Record<string, unknown>) =>
      (await account.api.patch<{ contact: Contact }>(CONTACTS + id, fields)).body.contact;
    expect(await change({ phone_number: phone })).toMatchObject({ opted_in: false });
    expect(await change({ phone_number: phone, opted_in: true })).toMatchObject({ opted_in: true });
    expect(await change({ phone_number: uniquePhone() })).toMatchObject({ opted_in: true });
    expect(await change({ phone_number: phone })).toMatchObject({ opted_in: true });
  });

  it('starts opted out when writing again with a hidden number', async () => {
    const userId = userIdOf(phone);
    const { id } = await create();
    await say('STOP');
    await erase(account, id);
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from_user_id: userId,
      type: 'text',
      text: 'Hidden',
    });
    const { body } = await account.api.get<{ contacts: Contact[] }>(CONTACTS);
    expect(body.contacts).toEqual([expect.objectContaining({ phone_number: null, user_id: userId, opted_in: false })]);
  });

  it('is opted in as a new contact of another account', async () => {
    await erased();
    expect(await create({}, await world.account())).toMatchObject({ opted_in: true });
  });

  it('is no longer opted out once erased after opting in again', async () => {
    await erased();
    await say('START');
    await erase(account, (await found())?.id ?? '');
    expect(await create()).toMatchObject({ opted_in: true });
  });

  it('leaves only a hash, which cannot be computed without the key', async () => {
    await erased();
    const rows = await world.unitOfWork.autocommit.rows<{ identityHash: string }>(
      'SELECT identity_hash FROM suppressions WHERE account_id = $1',
      [account.accountId],
    );
    expect(rows.map(({ identityHash }) => identityHash)).toEqual(rows.map(() => expect.stringMatching(/^[\w-]{43}$/)));
    expect(rows).toHaveLength(2);
  });

  it('stays opted out when the encryption key is rotated and the old one removed', async () => {
    const databaseUrl = await freshDatabase();
    const [old, fresh] = [`k1:${newEncryptionKey()}`, `k2:${newEncryptionKey()}`];
    const start = (keys: string) => World.start({ databaseUrl, env: { PARLEY_ROLES: 'api', ENCRYPTION_KEY: keys } });
    const first = await start(old);
    const tenant = await first.account();
    const { id } = await create({}, tenant);
    await tenant.api.patch(CONTACTS + id, { opted_in: false });
    await erase(tenant, id);
    await first.stop();
    await (await start(`${fresh},${old}`)).stop();
    const last = await start(fresh);
    try {
      const moved = { ...tenant, api: new ApiClient(last.baseUrl, tenant.apiKey) };
      expect(await create({}, moved)).toMatchObject({ opted_in: false });
    } finally {
      await last.stop();
    }
  });

  describe('while the key of their hashes cannot be read', () => {
    const withLockedKey = async (
      work: (tenant: TestAccount, locked: World) => Promise<void>,
      afterwards: (unlocked: World, tenant: TestAccount) => Promise<void> = async () => undefined,
    ): Promise<void> => {
      const databaseUrl = await freshDatabase();
      const [lost, other] = [`lost:${newEncryptionKey()}`, `other:${newEncryptionKey()}`];
      const start = (keys: string) => World.start({ databaseUrl, env: { ENCRYPTION_KEY: keys } });
      const first = await start(`${lost},${other}`);
      const tenant = await first.account();
      await create({}, tenant);
      await first.stop();
      const locked = await start(other);
      await work({ ...tenant, api: new ApiClient(locked.baseUrl, tenant.apiKey) }, locked).finally(() => locked.stop());
      const unlocked = await start(`${other},${lost}`);
      const moved = { ...tenant, api: new ApiClient(unlocked.baseUrl, tenant.apiKey) };
      await afterwards(unlocked, moved).finally(() => unlocked.stop());
    };
    const refused = { status: 503, body: { error: 'unavailable', message: expect.stringContaining('"lost"') } };
    const expectRefused = (ask: () => Promise<ApiResponse>) =>
      eventually(async () => expect(await ask()).toMatchObject(refused));
    const importOf = (tenant: TestAccount, number: string) =>
      tenant.api.post(`${CONTACTS}import`, undefined, {
        raw: `phone_number,first_name\n${number},Ada`,
        headers: { 'content-type': 'text/csv' },
      });

    it('calls that would make a contact are 503 naming the encryption key; others work', () =>
      withLockedKey(async (tenant) => {
        const fresh = uniquePhone();
        const { api } = impatient(tenant);
        await expectRefused(() => api.post(CONTACTS, { phone_number: fresh, first_name: 'Bo' }));
        await expectRefused(() => importOf(impatient(tenant), fresh));
        await expectRefused(() => api.post(`/api/v1/conversations/${fresh}/resolve`));
        expect(await importOf(tenant, phone)).toMatchObject({ status: 200, body: { updated: 1 } });
        const known = await found(tenant);
        expect(await tenant.api.patch(CONTACTS + known?.id, { first_name: 'Ida' })).toMatchObject({ status: 200 });
        await expectRefused(() => api.patch(CONTACTS + known?.id, { phone_number: fresh }));
      }));

    it('an inbound message makes its contact opted out, until the key is back', () =>
      withLockedKey(
        async (tenant, locked) => {
          phone = uniquePhone();
          const hello = { from: phone, id: `wamid.${phone}`, type: 'text', text: { body: 'Hello' } };
          await deliver(locked, tenant.phone, { contacts: [{ wa_id: phone }], messages: [hello] });
          expect(await found(tenant)).toMatchObject({ opted_in: false });
        },
        (_, tenant) =>
          until('the contact is opted in', async () => (await found(tenant))?.opted_in === true).then(() => undefined),
      ));

    it('an opted-out contact cannot be erased (503), others can', () =>
      withLockedKey(async (tenant) => {
        const id = (await found(tenant))?.id ?? '';
        await tenant.api.patch(CONTACTS + id, { opted_in: false });
        await eventually(async () => {
          const { headers, ...answer } = await impatient(tenant).api.delete(`${CONTACTS}${id}?erase=true`);
          expect(answer).toMatchObject(refused);
          expect(headers.get('retry-after')).toBe('60');
        });
        expect((await tenant.api.get(CONTACTS + id)).status).toBe(200);
        await tenant.api.patch(CONTACTS + id, { opted_in: true });
        await erase(tenant, id);
      }));
  });
});
