import { markedEncoding } from './byte-order-mark.js';

it.each([
  ['UTF-8', 'efbbbf41'],
  ['UTF-16LE', 'fffe4100'],
  ['UTF-16BE', 'feff0041'],
  ['UTF-16LE', 'fffe'],
  [null, 'efbb'],
  [null, 'ff'],
  [null, ''],
  [null, '41efbbbf'],
])('names %s for bytes that begin with %s', (encoding, hex) => {
  expect(markedEncoding(Buffer.from(hex, 'hex'))).toBe(encoding);
});
