import { ERROR_CATALOG, MESSAGE_ERRORS } from '../../src/errors/error-catalog.js';
import { NETWORK_CODES, NETWORK_RANGES } from '../../src/network/network-codes.js';
import { Document } from './document.js';

const page = new Document('errors.md');

describe('docs/errors.md', () => {
  it('lists exactly the error codes of responses, with their status and occasion', () => {
    expect(page.rowsUnder('## Codes of responses')).toEqual(
      Object.entries(ERROR_CATALOG).map(([code, { status, when }]) => [`\`${code}\``, String(status), when]),
    );
  });

  it('lists exactly Parley’s own error numbers for failed messages', () => {
    expect(page.rowsUnder('### Parley’s own')).toEqual(
      Object.values(MESSAGE_ERRORS).map(({ code, message, advice }) => [String(code), message, advice]),
    );
  });

  it.each([
    ['retry', '#### Try again later'],
    ['stop_phone', '#### Nothing can be sent from this phone'],
    ['stop_template', '#### Nothing can be sent with this template'],
    ['stop_category', '#### Nothing can be sent of this category'],
    ['request', '#### The request is invalid'],
    ['contact', '#### The contact cannot receive the message'],
  ] as const)('lists the codes of the network that mean %s, and no other', (kind, heading) => {
    const ranges = NETWORK_RANGES.filter(([, , of]) => of === kind);
    expect(page.rowsUnder(heading).map(([code]) => code)).toEqual([
      ...NETWORK_CODES[kind].map(String),
      ...ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)),
      ...(kind === 'stop_phone' ? ['100, subcode 33'] : []),
    ]);
  });

  it('has a section for each class of the network’s codes, and one for all others', () => {
    expect(page.matches(/^#### /gm)).toHaveLength(Object.keys(NETWORK_CODES).length + 1);
  });
});
