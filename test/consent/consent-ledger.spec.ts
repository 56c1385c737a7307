import { openWindow, recordOf, report, SEND, secondsAgo } from '../messages/messages.js';
import { erase } from '../personal-data/erasing.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { type Decision, ledgerOf, preference, standingOf, upload } from './consent.js';

describe('the ledger of consent', () => {
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
  const create = async (fields: Record<string, unknown> = {}) => {
    const { status, body, headers } = await account.api.post<{ contact: { id: string; opted_in: boolean } }>(CONTACTS, {
      phone_number: phone,
      first_name: 'Ada',
      ...fields,
    });
    expect(status).toBe(201);
    return { ...body.contact, requestId: headers.get('x-request-id') };
  };
  const found = async () => {
    const { body } = await account.api.get<{ contacts: { id: string; opted_in: boolean }[] }>(
      `${CONTACTS}?search=${phone}`,
    );
    const [contact] = body.contacts;
    if (contact === undefined) throw new Error('no contact');
    return contact;
  };
  const say = (text: string, more: Record<string, unknown> = {}) =>
    openWindow(world, account.phone, phone, { text, ...more });
  const ledger = async (): Promise<Decision[]> => ledgerOf(account, (await found()).id);

  it('is empty for a contact about whom nobody has decided', async () => {
    await create();
    expect(await ledger()).toEqual([]);
  });

  it('says who decided what and when, the latest first, with the evidence', async () => {
    const { id, requestId } = await create({ opted_in: true });
    const at = secondsAgo(10);
    await say('stop!', { timestamp: at });
    const messages = await account.api.get<{ messages: { message_id: string }[] }>(
      `/api/v1/messages/?contact_phone=${phone}`,
    );
    await say('START');
    const { headers } = await account.api.patch(CONTACTS + id, { opted_in: false });
    const entries = await ledger();
    const times = entries.map((entry) => entry.at);
    expect(times).toEqual([...times].sort().reverse());
    expect(entries).toHaveLength(4);
    const of = (decision: string, by: string) =>
      entries.find((entry) => entry.decision === decision && entry.by === by);
    expect(of('in', 'account')?.evidence).toEqual({ kind: 'request', id: requestId });
    expect(of('out', 'person')).toMatchObject({
      at: new Date(at * 1000).toISOString(),
      evidence: { kind: 'message', id: messages.body.messages[0]?.message_id },
    });
    expect(of('in', 'person')?.evidence).toMatchObject({ kind: 'message' });
    expect(entries[0]).toMatchObject({
      decision: 'out',
      by: 'account',
      evidence: { kind: 'request', id: headers.get('x-request-id') },
    });
  });

  it('names the callback of the network’s notice, and the message that an opt-out refused (131050)', async () => {
    await say('Hello');
    await preference(world, account.phone, { wa_id: phone, value: 'stop', timestamp: Number(secondsAgo(60)) });
    expect(await ledger()).toMatchObject([{ decision: 'out', by: 'network', evidence: { kind: 'callback' } }]);
    await say('START');
    const { name } = await approvedTemplate(world, account);
    const { body } = await account.api.post(SEND, { template_name: name, contact_phone: phone });
    const { network_message_id } = await recordOf(account, body['message_id']);
    const failure = { id: String(network_message_id), status: 'failed', errors: [{ code: 131050, title: 'x' }] };
    await report(world, account.phone.phoneNumberId, failure);
    expect((await ledger())[0]).toMatchObject({
      decision: 'out',
      by: 'network',
      evidence: { kind: 'message', id: body['message_id'] },
    });
  });

  it('does not grow by decisions that repeat the one in force', async () => {
    const { id } = await create();
    for (const text of ['STOP', 'unsubscribe', 'Stop.']) await say(text);
    await preference(world, account.phone, { wa_id: phone, value: 'stop', timestamp: Number(secondsAgo(1)) });
    await account.api.patch(CONTACTS + id, { opted_in: false });
    await upload(account, `phone_number,opted_in\n${phone},false`);
    expect(await ledger()).toHaveLength(1);
  });

  it('is paged', async () => {
    const { id } = await create();
    for (const text of ['STOP', 'START', 'STOP']) await say(text);
    const { body } = await account.api.get<{ consent: Decision[] }>(`${CONTACTS}${id}/consent?page=2&limit=2`);
    expect(body).toMatchObject({ status: 'success', total: 3, page: 2, limit: 2 });
    expect(body.consent).toHaveLength(1);
  });

  it('of an unknown, deleted or foreign contact is 404', async () => {
    const { id } = await create();
    await account.api.delete(CONTACTS + id);
    expect((await account.api.get(`${CONTACTS}${id}/consent`)).status).toBe(404);
    const other = await world.account();
    const mine = await create({ phone_number: uniquePhone() });
    expect((await other.api.get(`${CONTACTS}${mine.id}/consent`)).status).toBe(404);
  });

  describe('a file', () => {
    it('never lifts what the person decided, which is a warning; its other columns are applied', async () => {
      await create();
      await say('STOP');
      const { body } = await upload(account, `phone_number,first_name,opted_in\n+${phone},Grace,true\n`);
      expect(body).toMatchObject({
        updated: 1,
        failed: 0,
        warnings: [{ line: 2, phone_number: `+${phone}`, warning: expect.stringMatching(/^opted_in stays false/) }],
      });
      expect(await found()).toMatchObject({ opted_in: false, first_name: 'Grace' });
    });

    it('lifts what the account itself decided', async () => {
      await create({ opted_in: false });
      const { body } = await upload(account, `phone_number,opted_in\n${phone},true\n`);
      expect(body).not.toHaveProperty('warnings');
      expect(await found()).toMatchObject({ opted_in: true });
      expect((await ledger())[0]).toMatchObject({
        decision: 'in',
        by: 'account',
        evidence: { kind: 'import', id: expect.stringMatching(/:2$/) },
      });
    });

    it('decides about new contacts', async () => {
      const other = uniquePhone();
      await upload(account, `phone_number,first_name,opted_in\n${phone},Ada,false\n${other},Bo,true\n`);
      expect(await ledger()).toMatchObject([{ decision: 'out', by: 'account', evidence: { kind: 'import' } }]);
    });

    it('does not opt in a deleted contact that it restores', async () => {
      const { id } = await create();
      await say('STOP');
      await account.api.delete(CONTACTS + id);
      const { body } = await upload(account, `phone_number,first_name,opted_in\n${phone},Ada,true\n`);
      expect(body).toMatchObject({ warnings: [{ line: 2 }] });
      expect(await found()).toMatchObject({ opted_in: false });
    });
  });

  it('lets a call about one contact lift the person’s opt-out: POST that restores it, or PATCH', async () => {
    const { id } = await create();
    await say('STOP');
    await account.api.delete(CONTACTS + id);
    expect(await create()).toMatchObject({ id, opted_in: false });
    await account.api.delete(CONTACTS + id);
    expect(await create({ opted_in: true })).toMatchObject({ id, opted_in: true });
    await say('STOP');
    const { body } = await account.api.patch(CONTACTS + id, { opted_in: true });
    expect(body).toMatchObject({ contact: { opted_in: true } });
  });

  it('opts out a contact that is created with opted_in false', async () => {
    expect(await create({ opted_in: false })).toMatchObject({ opted_in: false });
  });

  it('takes a person’s opt-out that arrives after the account’s opt-in, also if it is older', async () => {
    await create({ opted_in: true });
    await say('STOP', { timestamp: secondsAgo(600) });
    expect(await found()).toMatchObject({ opted_in: false });
  });

  it('keeps a repeated opt-out in force against an older opt-in that arrives later, and shows why', async () => {
    await create();
    await say('STOP', { timestamp: secondsAgo(90) });
    await say('STOP', { timestamp: secondsAgo(30) });
    await say('START', { timestamp: secondsAgo(60) });
    expect(await found()).toMatchObject({ opted_in: false });
    expect((await ledger()).map(({ decision }) => decision)).toEqual(['out', 'in', 'out']);
  });

  it('follows an erased person: the command line says whether, why and since when they are opted out', async () => {
    const { id } = await create();
    await say('STOP', { timestamp: secondsAgo(30) });
    const before = await standingOf(world, account, phone);
    expect(before).toMatchObject({ contactId: id, optedIn: false, decision: { by: 'person' } });
    await erase(account, id);
    expect(await standingOf(world, account, phone)).toEqual({ ...before, contactId: null });
    const again = await create();
    expect(await ledgerOf(account, again.id)).toMatchObject([
      { decision: 'out', by: 'person', evidence: { kind: 'message' } },
    ]);
    expect(await standingOf(world, account, uniquePhone())).toEqual({ contactId: null, optedIn: true, decision: null });
  });

  it('enters the opt-out again when two contacts turn out to be one person', async () => {
    const user_id = `DE.${uniqueDigits()}`;
    const hidden = { from_user_id: user_id, id: `wamid.a${user_id}`, type: 'text', text: { body: 'STOP' } };
    await world.simulator.callback('messages', {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: account.phone.phoneNumberId, display_phone_number: '1' },
      contacts: [{ user_id }],
      messages: [hidden],
    });
    const { id } = await create({ opted_in: true });
    const before = await account.api.get<{ contacts: { id: string }[] }>(CONTACTS);
    const keptId = before.body.contacts.find((contact) => contact.id !== id)?.id;
    const both = { ...hidden, from: phone, id: `wamid.b${user_id}`, text: { body: 'Hello' } };
    await world.simulator.callback('messages', {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: account.phone.phoneNumberId, display_phone_number: '1' },
      contacts: [{ user_id, wa_id: phone }],
      messages: [both],
    });
    const { body } = await account.api.get<{ contacts: { id: string }[] }>(CONTACTS);
    expect(body.contacts).toMatchObject([{ id: keptId, opted_in: false }]);
    const entries = await ledgerOf(account, id);
    expect(entries).toHaveLength(3);
    expect(entries).toContainEqual(
      expect.objectContaining({ decision: 'out', by: 'person', evidence: { kind: 'merge', id } }),
    );
  });

  it('is never answered by the automatic reply when the person opts out', async () => {
    await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'Welcome' WHERE id = $1", [
      account.organisationId,
    ]);
    const replies = async () =>
      (await account.api.get(`/api/v1/messages/?contact_phone=${phone}&direction=out`)).body['total'];
    await say('Stop.');
    expect(await replies()).toBe(0);
    await say('Hello');
    await eventually(async () => expect(await replies()).toBe(1));
  });
});
