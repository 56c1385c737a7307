import { createHmac } from 'node:crypto';
import { TIMESTAMP_TOLERANCE_MS, verificationFailure } from './webhook-verification.js';

const SECRET = `whsec_${Buffer.from('a key of some bytes').toString('base64')}`;
const BODY = Buffer.from('{"event":"message.sent","name":"Zoë"}');
const AT = new Date('2026-01-31T09:30:00Z');
const ID = '019390cd-1c5b-7d43-8c53-5c6f1b0a1f55';
const TIMESTAMP = String(AT.getTime() / 1000);

const standard = (key: string | Buffer, body = BODY) =>
  `v1,${createHmac('sha256', key).update(`${ID}.${TIMESTAMP}.`).update(body).digest('base64')}`;
const plain = (secret: string, body = BODY) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const genuine = {
  'webhook-id': ID,
  'webhook-timestamp': TIMESTAMP,
  'webhook-signature': standard('a key of some bytes'),
  'x-webhook-signature': plain(SECRET),
};

describe('webhook verification', () => {
  it.each<[string, Record<string, string>, string]>([
    ['with a whsec_ secret, decoded to its key', genuine, SECRET],
    [
      'with any other secret, used as the key unchanged',
      { ...genuine, 'webhook-signature': standard('plain'), 'x-webhook-signature': plain('plain') },
      'plain',
    ],
    [
      'with two secrets during a rotation',
      { ...genuine, 'webhook-signature': `${genuine['webhook-signature']} ${standard('the one before')}` },
      SECRET,
    ],
  ])('accepts a webhook signed %s', (_, headers, secret) => {
    expect(verificationFailure(headers, BODY, secret, AT)).toBeNull();
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no id', { 'webhook-id': undefined }, 'webhook-id or webhook-timestamp is missing'],
    ['no time', { 'webhook-timestamp': undefined }, 'webhook-id or webhook-timestamp is missing'],
    ['an invalid time', { 'webhook-timestamp': 'now' }, 'webhook-timestamp is not a time in Unix seconds ("now")'],
    ['an empty time', { 'webhook-timestamp': '' }, 'webhook-timestamp is not a time in Unix seconds ("")'],
    [
      'a time in milliseconds',
      { 'webhook-timestamp': `${TIMESTAMP}000` },
      `webhook-timestamp is not a time in Unix seconds ("${TIMESTAMP}000")`,
    ],
    ['no signature', { 'webhook-signature': undefined }, 'webhook-signature does not match'],
    ['another id', { 'webhook-id': `${ID}0` }, 'webhook-signature does not match'],
    ['another timestamp', { 'webhook-timestamp': `${Number(TIMESTAMP) + 1}` }, 'webhook-signature does not match'],
    ['a foreign signature', { 'webhook-signature': standard('theirs') }, 'webhook-signature does not match'],
    ['no plain signature', { 'x-webhook-signature': undefined }, 'X-Webhook-Signature does not match'],
    ['a foreign plain signature', { 'x-webhook-signature': plain('theirs') }, 'X-Webhook-Signature does not match'],
  ])('refuses a webhook with %s', (_, change, failure) => {
    expect(verificationFailure({ ...genuine, ...change }, BODY, SECRET, AT)).toBe(failure);
  });

  it('refuses a body with different bytes but the same meaning', () => {
    const rewritten = Buffer.from(BODY.toString().replaceAll(':', ': '));
    expect(verificationFailure(genuine, rewritten, SECRET, AT)).toBe('webhook-signature does not match');
  });

  it.each([-1, 1])('refuses a timestamp outside the tolerance', (direction) => {
    const at = (ms: number) => new Date(AT.getTime() + direction * ms);
    expect(verificationFailure(genuine, BODY, SECRET, at(TIMESTAMP_TOLERANCE_MS))).toBeNull();
    expect(verificationFailure(genuine, BODY, SECRET, at(TIMESTAMP_TOLERANCE_MS + 1000))).toBe(
      'webhook-timestamp is 301 s off',
    );
  });
});
