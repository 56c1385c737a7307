import { createHmac } from 'node:crypto';
import { deliveryHeaders } from './webhook-signature.js';

const EVENT = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const AT = new Date(1614265330_789);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const headers = (body: string, current: string, ...replaced: string[]) =>
  deliveryHeaders(EVENT, AT, Buffer.from(body), { current, replaced });

describe('deliveryHeaders', () => {
  it('names the service and its version, the event and the attempt’s unix time', () => {
    expect(deliveryHeaders(EVENT, AT, Buffer.from('{}'), null)).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhook/1.0',
      'webhook-id': EVENT,
      'webhook-timestamp': '1614265330',
    });
  });

  it('includes no signature without a secret', () => {
    const unsigned = deliveryHeaders(EVENT, AT, Buffer.from('{}'), null);
    expect(unsigned).not.toHaveProperty('x-webhook-signature');
    expect(unsigned).not.toHaveProperty('webhook-signature');
  });

  // Digests computed with `openssl dgst -sha256 -hmac`.
  it('puts the hex HMAC-SHA256 of the raw body into X-Webhook-Signature, byte-exact for non-ASCII', () => {
    expect(headers('{"name":"Zoë 🎉"}', 'schlüssel')['x-webhook-signature']).toBe(
      'sha256=40e3a03c9b7590501d0d724223e82fea809d0079b34f33b4a6965f78c58ae0fd',
    );
  });

  it('keys X-Webhook-Signature with the literal bytes of a whsec_ secret too', () => {
    expect(headers('{"name":"Zoë 🎉"}', SECRET)['x-webhook-signature']).toBe(
      'sha256=b149a73b1204a2b70216ccdf6f7fa7e698dc9d4cb502e442fe09f33db27aa89e',
    );
  });

  it('computes webhook-signature like the published test vector of Standard Webhooks', () => {
    expect(headers('{"test": 2432232314}', SECRET)['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it.each(['no-prefix', 'whsec_', 'whsec_not base64!', 'whsec_abcde'])(
    'keys webhook-signature with the raw bytes of %s',
    (secret) => {
      const expected = createHmac('sha256', secret).update(`${EVENT}.1614265330.{}`).digest('base64');
      expect(headers('{}', secret)['webhook-signature']).toBe(`v1,${expected}`);
    },
  );

  it('signs with every secret during rotations, but X-Webhook-Signature only with the newest', () => {
    const rotating = headers('{}', 'new', 'old', 'older');
    const [first, second, third, ...more] = rotating['webhook-signature']?.split(' ') ?? [];
    expect(first).toBe(headers('{}', 'new')['webhook-signature']);
    expect(second).toBe(headers('{}', 'old')['webhook-signature']);
    expect(third).toBe(headers('{}', 'older')['webhook-signature']);
    expect(more).toEqual([]);
    expect(rotating['x-webhook-signature']).toBe(headers('{}', 'new')['x-webhook-signature']);
  });
});
