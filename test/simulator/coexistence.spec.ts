import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { CUSTOMER, PHONE, SimulatedNetwork } from './simulated-network.js';

const DISPLAY = '4930901820';

describe('a phone of the simulated network that is also used in the app', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const control = (path: string, input: object) =>
    network.call<{ id?: string; callback_status?: number; message?: string }>('POST', `/_sim/${path}`, {
      phone_number_id: PHONE,
      ...input,
    });
  const change = () => network.receiver.changes.at(-1) as unknown as { field: string; value: Record<string, unknown> };

  it.each<[object, object]>([
    [{ text: 'Ours' }, { type: 'text', text: { body: 'Ours' } }],
    [
      { type: 'image', media: { caption: 'Look' } },
      { type: 'image', image: { caption: 'Look' } },
    ],
    [{ text: 'Yes', context_id: 'wamid.q' }, { context: { id: 'wamid.q' } }],
    [
      { type: 'edit', original_message_id: 'wamid.o', text: 'Better' },
      { type: 'edit', edit: { original_message_id: 'wamid.o', message: { type: 'text', text: { body: 'Better' } } } },
    ],
    [{ type: 'revoke', original_message_id: 'wamid.o' }, { revoke: { original_message_id: 'wamid.o' } }],
  ])('echoes %j', async (input, message) => {
    const { body } = await control('echoes', { to: CUSTOMER, ...input });
    expect(body).toEqual({ id: expect.stringMatching(/^wamid\./), callback_status: 200 });
    const parties = { from: DISPLAY, to: CUSTOMER, to_user_id: userIdOf(CUSTOMER) };
    expect(change()).toMatchObject({
      field: 'smb_message_echoes',
      value: { metadata: { phone_number_id: PHONE }, message_echoes: [{ id: body.id, ...parties, ...message }] },
    });
    expect((await network.post({ text: { body: 'x' } })).body.error.code).toBe(131047);
  });

  it('echoes to people who hide the number', async () => {
    await control('echoes', { to: CUSTOMER, hide_number: true, text: 'x' });
    expect(change().value.message_echoes).toMatchObject([{ to_user_id: userIdOf(CUSTOMER) }]);
    expect(JSON.stringify(change().value)).not.toContain(CUSTOMER);
  });

  it('sends a part of the history, or that it is not shared', async () => {
    const messages = [{ text: 'Hello' }, { text: 'Hi', is_ours: true, status: 'DELIVERED' }, { type: 'image' }];
    await control('history', { phase: 1, progress: 50, threads: [{ contact: CUSTOMER, messages }] });
    const [from, to] = [{ from: CUSTOMER }, { from: DISPLAY, to: CUSTOMER }];
    const shown = [
      { ...from, type: 'text', text: { body: 'Hello' }, history_context: { status: 'READ' } },
      { ...to, type: 'text', text: { body: 'Hi' }, history_context: { status: 'DELIVERED' } },
      { ...from, type: 'media_placeholder' },
    ];
    const metadata = { phase: 1, chunk_order: 1, progress: 50 };
    expect(change()).toMatchObject({
      field: 'history',
      value: { history: [{ metadata, threads: [{ id: CUSTOMER, messages: shown }] }] },
    });
    await control('history', { declined: true });
    expect(change().value.history).toMatchObject([{ errors: [{ code: 2593109 }] }]);
  });

  it('sends entries of its address book', async () => {
    await control('address-book', { contacts: [{ phone_number: CUSTOMER, full_name: 'Ada', action: 'remove' }] });
    const contact = { phone_number: CUSTOMER, full_name: 'Ada' };
    expect(change()).toMatchObject({
      field: 'smb_app_state_sync',
      value: { state_sync: [{ type: 'contact', contact, action: 'remove' }] },
    });
  });

  it.each<[string, object, string]>([
    ['echoes', { to: 'Ada' }, 'to'],
    ['echoes', { to_user_id: '1' }, 'to_user_id'],
    ['echoes', { to: CUSTOMER, type: 'button' }, 'type'],
    ['echoes', { to: CUSTOMER, text: 'x', phone_number_id: '1' }, 'phone_number_id'],
    ['history', { phase: 'first' }, 'phase'],
    ['history', { threads: [{ contact: CUSTOMER, messages: [{ text: 'x', status: 'SEEN' }] }] }, 'status'],
    ['history', { threads: {} }, 'threads'],
    ['address-book', { contacts: [{ phone_number: CUSTOMER, action: 'drop' }] }, 'action'],
    ['address-book', { contacts: [{}] }, 'phone_number'],
  ])('%s refuses %j and says that it is about %s', async (path, input, name) => {
    const { status, body } = await control(path, input);
    expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
  });
});
