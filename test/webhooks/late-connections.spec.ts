import { AddressServer, overTls } from '../egress/address-server.js';

import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, settledDeliveries, subscribe } from './events.js';

const SECOND = 1000;

/** The timeout of an endpoint is the only limit of an attempt. */
describe('a receiver that takes its time for TLS', () => {
  let world: World;
  let account: TestAccount;
  let receiver: AddressServer;

  beforeAll(async () => {
    world = await World.start({ env: { EGRESS_ALLOW: '127.0.0.0/8' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = new AddressServer();
  });
  afterEach(() => receiver.close());

  const endpoint = (timeout: number) =>
    subscribe(account, { url: `https://localhost:${receiver.port}/`, timeout, retry_count: 0 });

  it('gets the event within the timeout of its endpoint', async () => {
    const serve = overTls();
    await receiver.listen({ '127.0.0.1': (socket) => void setTimeout(serve, 7 * SECOND, socket) });
    const id = await endpoint(30);
    await emit(world, [event(account, 1)]);
    const [delivery] = await settledDeliveries(account, id, 1);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200, error: null }] });
    expect(receiver.connected).toHaveLength(1);
  });

  it('is named for that when it takes too long', async () => {
    await receiver.listen({ '127.0.0.1': (socket) => void socket.resume() });
    const id = await endpoint(3);
    await emit(world, [event(account, 1)]);
    await settledDeliveries(account, id, 1);
    const [delivery] = await deliveriesOf(account, id);
    // On a busy machine, the connection alone may take that long.
    const error = expect.stringMatching(
      /^the endpoint did not (finish the TLS handshake|accept a connection) within 3 s$/,
    );
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{ status_code: null, error }] });
  });
});
