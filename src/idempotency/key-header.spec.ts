import { DomainError } from '../errors/domain-error.js';
import { readKey } from './key-header.js';

const refusal = (...values: string[]): string => {
  try {
    readKey(values);
  } catch (error) {
    if (error instanceof DomainError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error('the key was accepted');
};

describe('Idempotency-Key', () => {
  it.each(['k', ' ', '~', 'a b', '5f0c2f6e-5c0e-4a52-9f55-4f3b7e5c9d11', '"quoted"', 'x'.repeat(255)])(
    'may be %j: 1 to 255 printable characters',
    (key) => {
      expect(readKey([key])).toBe(key);
    },
  );

  it('has at most 255 characters (400)', () => {
    expect(refusal('x'.repeat(256))).toBe('Idempotency-Key must have at most 255 characters (got 256)');
  });

  it('has at least one character (400)', () => {
    expect(refusal('')).toContain('1 to 255 characters');
  });

  it.each(['tab\there', 'é', '\u007f', 'a\u0000b', '\u0080'])('rejects %j: not printable (400)', (key) => {
    expect(refusal(key)).toContain('printable');
  });

  it('may be sent only once (400)', () => {
    expect(refusal('one', 'one')).toContain('sent once');
  });
});
