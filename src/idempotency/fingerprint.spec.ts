import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, fingerprintOf, type KeyedPayload } from './fingerprint.js';

const PAYLOAD: KeyedPayload = { method: 'POST', url: '/api/v1/contacts', body: { a: 1, b: [1, { c: null, d: 'x' }] } };
const fingerprint = async (change: Partial<KeyedPayload> = {}): Promise<string> =>
  (await fingerprintOf({ ...PAYLOAD, ...change })).toString('hex');

/** The same value with the keys of every object reversed. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
};

describe('the fingerprint of a request', () => {
  it('does not depend on the order of JSON keys, at any depth', async () => {
    expect(await fingerprint({ body: { b: [1, { d: 'x', c: null }], a: 1 } })).toBe(await fingerprint());
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('hashes JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('hashes the sorted JSON, however large', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        const sorted = `POST\n/api/v1/contacts\n${canonicalJson(body)}`;
        expect(await fingerprint({ body })).toBe(createHash('sha256').update(sorted).digest('hex'));
      }),
    );
  });

  it('does not depend on the query or a trailing slash', async () => {
    expect(await fingerprint({ url: '/api/v1/contacts/' })).toBe(await fingerprint());
    expect(await fingerprint({ url: '/api/v1/contacts/?a=/' })).toBe(await fingerprint());
  });

  it.each<[string, Partial<KeyedPayload>]>([
    ['method', { method: 'PUT' }],
    ['path', { url: '/api/v1/groups' }],
    ['value', { body: { a: 2, b: [1, { c: null, d: 'x' }] } }],
    ['type of a value', { body: { a: '1', b: [1, { c: null, d: 'x' }] } }],
    ['order of an array', { body: { a: 1, b: [{ c: null, d: 'x' }, 1] } }],
    ['field that is null or absent', { body: { a: 1, b: [1, { d: 'x' }] } }],
    ['unknown field', { body: { ...(PAYLOAD.body as object), unknown: true } }],
    ['absent body', { body: undefined }],
  ])('depends on the %s', async (_what, change) => {
    expect(await fingerprint(change)).not.toBe(await fingerprint());
  });

  it('distinguishes values that look alike when joined', () => {
    expect(canonicalJson({ a: 'b","c":"d' })).not.toBe(canonicalJson({ a: 'b', c: 'd' }));
    expect(canonicalJson([['a'], 'b'])).not.toBe(canonicalJson(['a', ['b']]));
  });
});
