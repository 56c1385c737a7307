import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, SimulatedNetwork } from './simulated-network.js';

describe('failures that the simulated network reports later', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    await network.approved('plain', [{ type: 'BODY', text: 'Hello' }]);
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const send = async (to: string): Promise<string> => {
    const { body } = await network.sendTemplate('plain', [], to);
    expect(body.error).toBeUndefined();
    return body.messages[0]?.id ?? '';
  };
  /** The reports of a message as soon as there are `count`: status and error code. */
  const reportsOf = async (id: string, count: number): Promise<[string, number | undefined][]> => {
    await until(`there are ${count} reports`, () => receiver.statusesOf(id).length >= count);
    const own = receiver.statuses.filter((report) => report.id === id);
    return own.map(({ status, errors }) => [status, errors?.[0]?.code]);
  };

  it.each([
    ['9990011', 131049],
    ['9990012', 131050],
    ['9990013', 132015],
    ['9990014', 131042],
  ])('%s fails with %i, and nothing else is reported', async (magic, code) => {
    const id = await send(`49159${magic}`);
    // Its other reports would have come before those of a later message.
    await reportsOf(await send(CUSTOMER), 3);
    expect(await reportsOf(id, 1)).toEqual([['failed', code]]);
  });

  it('9990015 is sent, and nothing else is reported', async () => {
    const id = await send('49159990015');
    await reportsOf(await send(CUSTOMER), 3);
    expect(await reportsOf(id, 1)).toEqual([['sent', undefined]]);
  });

  it('9990016 picks a row of a list', async () => {
    const id = await send('49159990016');
    await until('the customer replies', () => receiver.messages.length >= 1);
    expect(receiver.statusesOf(id)).toEqual(['sent', 'delivered', 'read']);
    const list_reply = { id: 'row-1', title: 'First row', description: expect.any(String) };
    expect(receiver.messages[0]).toMatchObject({
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply },
      context: { id },
    });
  });

  it('late_error fails the given share of messages, unless their number decides', async () => {
    await network.behave({ late_error: { code: 130472, rate: 1 } });
    const [plain, magic] = [await send(CUSTOMER), await send('49159990003')];
    expect(await reportsOf(magic, 2)).toEqual([
      ['sent', undefined],
      ['delivered', undefined],
    ]);
    expect(await reportsOf(plain, 1)).toEqual([['failed', 130472]]);
    await network.behave({ late_error: { code: 130472, rate: 0 } });
    expect(await reportsOf(await send(CUSTOMER), 3)).toHaveLength(3);
  });

  it('late failures keep their code over a restart', async () => {
    await network.behave({ late_error: { code: 131042, rate: 1 } });
    const id = await atOneMoment(async () => {
      const sent = await send(CUSTOMER);
      await network.restart();
      return sent;
    });
    expect(await reportsOf(id, 1)).toEqual([['failed', 131042]]);
  });
});
