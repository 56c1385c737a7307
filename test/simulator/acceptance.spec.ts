import { parseOptions } from '../../simulator/simulator-options.js';
import { until } from '../support/until.js';
import { CUSTOMER, SimulatedNetwork } from './simulated-network.js';

const TIMEOUT_MS = 60_000;

describe('control calls that wait until their callback is accepted', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start({ acceptanceTimeoutMs: TIMEOUT_MS });
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  it('answer 200 when the third attempt is accepted', async () => {
    network.receiver.answer = (attempt) => (attempt < 3 ? 503 : 200);
    expect((await network.inbound(CUSTOMER)).callback_status).toBe(200);
    expect(network.receiver.messages).toHaveLength(3);
  });

  it('answer with the last status when every attempt has been refused for that long', async () => {
    network.receiver.answer = (attempt) => (attempt < 3 ? 500 : 503);
    const answered = network.inbound(CUSTOMER);
    await until('it has been refused several times', () => network.receiver.messages.length >= 4);
    // After another call the simulator has read that answer too, and waits for the time of the next attempt.
    await network.ledger();
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + TIMEOUT_MS);
    try {
      expect((await answered).callback_status).toBe(503);
    } finally {
      clock.mockRestore();
    }
  });

  it.each([-1, 0.5, '60000', null])('need a whole number of milliseconds, not %j', (acceptanceTimeoutMs) => {
    const options = { port: 0, dataDir: 'x', appSecret: 's', acceptanceTimeoutMs };
    expect(() => parseOptions(JSON.stringify(options))).toThrow(
      'acceptanceTimeoutMs must be a whole number of milliseconds',
    );
  });

  it('take 0, which returns the first answer, and any other whole number', () => {
    for (const acceptanceTimeoutMs of [0, 1, TIMEOUT_MS]) {
      const options = { port: 0, dataDir: 'x', appSecret: 's', acceptanceTimeoutMs };
      expect(parseOptions(JSON.stringify(options))).toEqual(options);
    }
  });
});
