import { RequestActor } from './request-actor.js';

const actorOf = (request: { ip?: string; remoteAddress?: string }): RequestActor => {
  const { ip = '192.0.2.7', remoteAddress } = request;
  return new RequestActor({ id: 'r-1', ip, socket: { remoteAddress } }, { keyId: 'key' });
};

describe('the address of an actor', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8::7', '2001:db8::7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
  ])('is, for %s, %s', (ip, expected) => {
    expect(actorOf({ ip }).address).toBe(expected);
  });

  it('is the connection’s own when a proxy reports something else', () => {
    expect(actorOf({ ip: '_hidden', remoteAddress: '10.0.0.1' }).address).toBe('10.0.0.1');
    expect(actorOf({ ip: '_hidden' }).address).toBeNull();
  });
});
