import fc from 'fast-check';
import { readNetworkMessageId, tokenInBase64 } from './network-message-id.js';

const BY_NUMBER = 'wamid.HBgMMjAxMDAxMjM0NTAxFQIAERgSNjE3RDU2M0YyNkY3NUQ5MUUyAA==';
const BY_USER_ID = 'wamid.HBgTRUcuMTQ0MjAwMDAwMDAwMDAwMRUUABEYEjYxN0Q1NjNGMjZGNzVEOTFFMgA=';
const TOKEN = '617D563F26F75D91E2';

const lengthOf = ({ length }: string): number[] => (length < 128 ? [length] : [128 + (length % 128), length >> 7]);
const idOf = (peer: string, token: string, between = [0x15, 0x02, 0x00, 0x11]): string => {
  const bytes = [0x1c, 0x18, ...lengthOf(peer), ...Buffer.from(peer), ...between, 0x18, ...lengthOf(token)];
  return `wamid.${Buffer.from([...bytes, ...Buffer.from(token), 0x00]).toString('base64')}`;
};
const LETTERS = [...'0123456789ABCDEFabcdefghijXYZ'];
const letters = (maxLength: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength }).map((each) => each.join(''));

describe('the network’s id of a message', () => {
  it.each([
    [BY_NUMBER, '201001234501'],
    [BY_USER_ID, 'EG.1442000000000001'],
    [BY_NUMBER.replaceAll('=', ''), '201001234501'],
    [idOf('201001234501', TOKEN, [0x15, 0x02, 0x25, 0x18, 0x01, 0x00, 0x12]), '201001234501'],
  ])('%s has a peer and a token', (id, peer) => {
    expect(readNetworkMessageId(id)).toEqual({ peer, token: TOKEN });
  });

  it('may have a peer of over 127 characters', () => {
    const peer = `EG.ENT.${'7'.repeat(128)}`;
    expect(readNetworkMessageId(idOf(peer, TOKEN))).toEqual({ peer, token: TOKEN });
  });

  it.each([
    '',
    'wamid.',
    'wamid.unknown',
    'wamid.HBgM',
    BY_NUMBER.slice('wamid.'.length),
    BY_NUMBER.toLowerCase(),
    `${BY_NUMBER}\n`,
    ` ${BY_NUMBER}`,
    BY_NUMBER.slice(0, -4),
    `${BY_NUMBER.slice(0, -4)}AAAA`,
    BY_NUMBER.replace('M', '*'),
    BY_NUMBER.replace('HBgM', 'HRgM'),
    BY_NUMBER.replace('HBgM', 'HBgA'),
    BY_NUMBER.replace('HBgM', 'HBj/'),
    idOf('201001234501', ''),
    idOf('201001234501', 'A token'),
    idOf('', TOKEN),
    idOf('201001234501', TOKEN, Array(20).fill(0x15)),
    idOf('2'.repeat(600), TOKEN),
  ])('%j is none that can be taken apart', (id) => {
    expect(readNetworkMessageId(id)).toBeNull();
  });

  it('is read without an error, whatever it is', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => `wamid.${Buffer.from(each).toString('base64')}`);
    const strings = fc.tuple(fc.nat(60), fc.nat(255)).map(([at, byte]) => {
      const changed = Buffer.from(BY_NUMBER.slice('wamid.'.length), 'base64');
      changed[at % changed.length] = byte;
      return `wamid.${changed.toString('base64')}`;
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), bytes, strings), (id) => {
        const read = readNetworkMessageId(id);
        expect(read === null || /^[A-Za-z0-9]+$/.test(read.token)).toBe(true);
      }),
    );
  });

  it('contains its token in base64, whatever precedes it', () => {
    fc.assert(
      fc.property(letters(140), letters(40), (peer, token) => {
        const id = idOf(peer, token);
        expect(readNetworkMessageId(id)).toEqual({ peer, token });
        expect(tokenInBase64(token).some((part) => id.includes(part))).toBe(true);
      }),
    );
  });

  it('contains no other token of that length', () => {
    for (const part of tokenInBase64(`${TOKEN.slice(0, -1)}3`)) expect(BY_NUMBER).not.toContain(part);
  });
});
