import { newRecordId } from '../values/record-id.js';
import { RequestActor } from './request-actor.js';

const actorOf = (request: { id?: string; ip?: string; remoteAddress?: string }): RequestActor => {
  const { id = 'r-1', ip = '192.0.2.7', remoteAddress } = request;
  return new RequestActor({ id, ip, socket: { remoteAddress } }, { keyId: 'key' });
};

describe('the request id of an actor', () => {
  it.each([newRecordId(), '12345678-1234-4234-8234-123456789012', 'trace-2026-11-23', 'a'.repeat(128)])(
    'is kept: %s',
    (id) => {
      expect(actorOf({ id }).requestId).toBe(id);
    },
  );

  it.each(['4915112345678', 'order-4915112345678-2', 'US.13491208655302741918'])(
    'is left out when it may identify a person: %s',
    (id) => {
      expect(actorOf({ id }).requestId).toBeNull();
    },
  );
});

describe('the address of an actor', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8::7', '2001:db8::7'],
  ])('is, for %s, %s', (ip, expected) => {
    expect(actorOf({ ip }).address).toBe(expected);
  });

  it('is the connection’s own when a proxy reports something else', () => {
    expect(actorOf({ ip: '_hidden', remoteAddress: '10.0.0.1' }).address).toBe('10.0.0.1');
    expect(actorOf({ ip: '_hidden' }).address).toBeNull();
  });
});
