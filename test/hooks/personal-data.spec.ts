import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { PersonalDataDebt } from '../../src/hooks/personal-data-debt.entity.js';
import { receivedBy } from '../inbound/inbound.js';
import { age, erase, untilPass } from '../personal-data/erasing.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { createProbeTables, dropProbeTables, notesOf, Probe, ProbeModule } from './probe.js';

describe('the personal data of an extension', () => {
  let world: World;
  let account: TestAccount;
  let phone: string;
  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), rooms: [ProbeModule] });
    await dropProbeTables(world);
    await createProbeTables(world);
  });
  afterAll(async () => {
    await dropProbeTables(world);
    await world.stop();
  });
  beforeEach(async () => {
    account = await world.account();
    phone = uniquePhone();
  });

  /** Receives a message, of which the extension keeps the text, and returns the contact. */
  const write = async (text: string, sender: Record<string, unknown> = { from: phone }): Promise<string> => {
    await world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, type: 'text', text, ...sender });
    return (await receivedBy(account)).at(-1)?.contact_id ?? '';
  };
  /** Reads the export past the check against docs/openapi.json, which knows only the rooms of the core. */
  const exported = async (contactId: string): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${account.apiKey}` };
    const response = await fetch(`${world.baseUrl}/api/v1/contacts/${contactId}/export`, { headers });
    return (await response.json()) as Record<string, unknown>;
  };
  const notes = async () => (await notesOf(world, account.accountId)).map(({ contactId, note }) => [contactId, note]);
  const debts = () =>
    world.unitOfWork.autocommit.manager.findBy(PersonalDataDebt, { accountId: account.accountId as never });
  const broken = () => Promise.reject(new Error('broken'));

  it('is a section of the export', async () => {
    const contact = await write('Hello');
    const rows = [{ accountId: account.accountId, contactId: contact, note: 'Hello' }];
    expect(await exported(contact)).toMatchObject({ status: 'success', probe: rows });
  });

  it('is null in the export when the extension fails, and the rest is there', async () => {
    const contact = await write('Hello');
    Probe.let(account.accountId, 'export', broken);
    expect(await exported(contact)).toMatchObject({ probe: null, messages: [{ content: 'Hello' }] });
  });

  it('is erased with the contact, and again when it was stored late', async () => {
    const contact = await write('Hello');
    await erase(account, contact);
    expect(await notes()).toEqual([]);
    await world.unitOfWork.autocommit.affected('INSERT INTO probe_notes VALUES ($1, $2, $3)', [
      account.accountId,
      contact,
      'late',
    ]);
    await untilPass(world, account, contact, 1);
    expect(await notes()).toEqual([]);
  });

  it('keeps an erasure open until the extension has followed', async () => {
    const contact = await write('Hello');
    Probe.let(account.accountId, 'erase', broken);
    await erase(account, contact);
    await untilPass(world, account, contact, 1);
    await age(world, account, 6);
    expect(await untilPass(world, account, contact, 2)).toMatchObject({ identity: null, clearedAt: null });
    expect(await notes()).toEqual([[contact, 'Hello']]);
    Probe.let(account.accountId, 'erase', null);
    await until('the extension has erased the contact', async () => (await debts()).length === 0);
    expect(await notes()).toEqual([]);
    expect(await untilPass(world, account, contact, 2)).toMatchObject({ clearedAt: expect.any(Date) });
  });

  it('moves to the contact that is kept, at once or later', async () => {
    const { body } = await account.api.post<{ contact: ContactRecord }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Grace',
    });
    const kept = body.contact.id;
    const gone = await write('Hidden', { from_user_id: userIdOf(phone) });
    expect(await notes()).toEqual([[gone, 'Hidden']]);
    Probe.let(account.accountId, 'merge', broken);
    expect(await write('Revealed')).toBe(kept);
    expect(await notes()).toEqual([
      [gone, 'Hidden'],
      [kept, 'Revealed'],
    ]);
    Probe.let(account.accountId, 'merge', null);
    await until('the extension has merged the contacts', async () => (await debts()).length === 0);
    expect(await notes()).toEqual([
      [kept, 'Hidden'],
      [kept, 'Revealed'],
    ]);
  });

  it('is erased when all contacts are', async () => {
    await write('Hello');
    const { ContactErasureService } = await import('../../src/contacts/erasure/contact-erasure.service.js');
    await world.parley.app.get(ContactErasureService).eraseAll(account.accountId);
    await until('nothing is left', async () => (await notes()).length === 0);
  });
});
