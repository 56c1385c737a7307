import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { SecretBox, UnreadableSecret } from './secret-box.js';

const PLACE = { accountId: 'account', rowId: 'row', column: 'webhook_endpoints.secret' };
const key = (id: string) => ({ id, key: randomBytes(32) });

// Failures to decrypt are logged.
beforeAll(() => Logger.overrideLogger(false));

describe('SecretBox', () => {
  const [old, fresh] = [key('old'), key('fresh')];
  const sealed = new SecretBox([old]).seal('schlüssel 🔑', PLACE);

  it('opens what it sealed, and the sealed form does not show it', () => {
    expect(sealed).not.toContain('schlüssel');
    expect(new SecretBox([old]).open(sealed, PLACE)).toBe('schlüssel 🔑');
  });

  it('seals the same secret differently each time', () => {
    expect(new SecretBox([old]).seal('schlüssel 🔑', PLACE)).not.toBe(sealed);
  });

  it('encrypts with the first key and decrypts with any', () => {
    const box = new SecretBox([fresh, old]);
    expect(box.open(sealed, PLACE)).toBe('schlüssel 🔑');
    expect(box.seal('x', PLACE)).toMatch(/^v1\.fresh\./);
  });

  it.each([
    ['another account', { ...PLACE, accountId: 'other' }],
    ['another row', { ...PLACE, rowId: 'other' }],
    ['another column', { ...PLACE, column: 'webhook_endpoints.previous_secret' }],
  ])('does not open a box for %s', (_, place) => {
    expect(() => new SecretBox([old]).open(sealed, place)).toThrow(UnreadableSecret);
  });

  it('rejects values that were tampered with, use an unknown key, or are not sealed', () => {
    const at = sealed.length - 10;
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    for (const stored of [changed, sealed.slice(0, -4), '', 'plain text']) {
      expect(() => new SecretBox([old]).open(stored, PLACE)).toThrow(UnreadableSecret);
    }
    expect(() => new SecretBox([fresh]).open(sealed, PLACE)).toThrow(UnreadableSecret);
  });
});
