import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  Parley,
  verifyWebhook,
  type WebhookFault,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.js';
import { deliveryHeaders } from '../../src/webhooks/delivery/webhook-signature.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

interface Delivery {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

describe('verifyWebhook', () => {
  let world: World;
  let receiver: LoopbackServer;
  let deliveries: Delivery[] = [];
  const secret = 'whsec_VGhpcyBrZXkgaXMgYW4gZXhhbXBsZSBvbmx5Lg==';

  beforeAll(async () => {
    world = await World.start();
    receiver = await LoopbackServer.start(async (request, response) => {
      deliveries.push({ body: await buffer(request), headers: request.headers });
      response.writeHead(204).end();
    });
  });
  afterAll(async () => {
    await receiver.stop();
    await world.stop();
  });

  /** An endpoint with `secret` and the next delivery to it. */
  async function endpoint(): Promise<{ parley: Parley; id: string; next: () => Promise<Delivery> }> {
    deliveries = [];
    const { apiKey } = await world.account();
    const parley = new Parley({ baseUrl: world.baseUrl, apiKey });
    const { webhook } = await parley.webhooks.create({ url: receiver.url(), secret });
    const next = async () => {
      const before = deliveries.length;
      await parley.webhooks.test(webhook.id);
      return until('the delivery arrives', () => deliveries[before]);
    };
    return { parley, id: webhook.id, next };
  }

  const faultOf = (webhook: Parameters<typeof verifyWebhook>[0]): WebhookFault | null => {
    try {
      verifyWebhook(webhook);
      return null;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return error.fault;
      throw error;
    }
  };

  it('returns the event of a genuine delivery, whatever the headers are kept in', async () => {
    const { next } = await endpoint();
    const before = Date.now();
    const { body, headers } = await next();
    const after = Date.now();
    const verified = verifyWebhook({ body, headers, secret });
    expect(verified).toMatchObject({ id: headers['webhook-id'], event: { event: 'webhook.test' } });
    // It is told in whole seconds.
    expect(verified.sentAt.getTime()).toBeGreaterThan(before - 1000);
    expect(verified.sentAt.getTime()).toBeLessThanOrEqual(after);
    const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    expect(verifyWebhook({ body, headers: new Headers(pairs), secret })).toEqual(verified);
    const upper = Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook({ body: body.toString('utf8'), headers: upper, secret })).toEqual(verified);
  });

  it('refuses a tampered body, another id, another secret and an unsigned delivery', async () => {
    const { next } = await endpoint();
    const { body, headers } = await next();
    const tampered = Buffer.from(body.toString('utf8').replace('webhook.test', 'webhook.fake'));
    expect(faultOf({ body: tampered, headers, secret })).toBe('wrong_signature');
    expect(faultOf({ body, headers: { ...headers, 'webhook-id': 'other' }, secret })).toBe('wrong_signature');
    expect(faultOf({ body, headers, secret: 'another' })).toBe('wrong_signature');
    expect(faultOf({ body, headers: { ...headers, 'webhook-signature': undefined }, secret })).toBe('missing_header');
    expect(() => verifyWebhook({ body, headers, secret: '' })).toThrow(TypeError);
    expect(() => verifyWebhook({ body, headers, secret: [] })).toThrow(TypeError);
  });

  it('accepts either secret while a rotation lasts', async () => {
    const { parley, id, next } = await endpoint();
    const { secret: renewed } = await parley.webhooks.rotateSecret(id);
    const { body, headers } = await next();
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const known of [secret, renewed, [renewed, secret], ['another', secret]]) {
      expect(verifyWebhook({ body, headers, secret: known }).event.event).toBe('webhook.test');
    }
  });

  it.each<[string, number, number | undefined, WebhookFault | null]>([
    ['too old', -301, undefined, 'expired_timestamp'],
    ['too far in the future', 3600, undefined, 'expired_timestamp'],
    ['old, but within the tolerance', -301, 400, null],
    ['young', -10, undefined, null],
  ])('checks a timestamp that is %s', (_what, seconds, toleranceSeconds, fault) => {
    const body = Buffer.from('{"event":"webhook.test"}');
    const at = new Date(Date.now() + seconds * 1000);
    const headers = deliveryHeaders('id', at, body, { current: secret, replaced: [] });
    expect(faultOf({ body, headers, secret, toleranceSeconds })).toBe(fault);
  });

  it.each(['null', '7', '[]', '{}', '{"event":7}'])('refuses a body that is no event: %s', (text) => {
    const body = Buffer.from(text);
    const headers = deliveryHeaders('id', new Date(), body, { current: 'secret', replaced: [] });
    expect(faultOf({ body, headers, secret: 'secret' })).toBe('malformed_body');
  });

  it('refuses a timestamp that is no time, and a body that is no JSON', () => {
    const body = Buffer.from('{"event":');
    // Not base64, so the secret is used as it stands.
    const odd = 'whsec_not base64';
    const headers = deliveryHeaders('id', new Date(), body, { current: odd, replaced: [] });
    expect(faultOf({ body, headers, secret: odd })).toBe('malformed_body');
    expect(faultOf({ body, headers: { ...headers, 'webhook-timestamp': 'now' }, secret: odd })).toBe(
      'malformed_timestamp',
    );
  });
});
