import { ERROR_CATALOG, MESSAGE_ERRORS } from '../../src/errors/error-catalog.js';
import { NETWORK_CODES } from '../../src/network/error-classes.js';
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
      Object.values(MESSAGE_ERRORS).map(({ code, message }) => [String(code), message]),
    );
  });

  it.each([
    ['retry', '#### Try again later'],
    ['stop_phone', '#### Nothing can be sent from this phone'],
    ['stop_template', '#### Nothing can be sent with this template'],
    ['request', '#### The request is invalid'],
    ['contact', '#### The contact cannot receive the message'],
  ] as const)('lists the codes of the network that mean %s, and no other', (kind, heading) => {
    expect(page.rowsUnder(heading).map(([code]) => Number(code))).toEqual(NETWORK_CODES[kind]);
  });

  it('has a section for each class of the network’s codes', () => {
    expect(page.matches(/^#### /gm)).toHaveLength(Object.keys(NETWORK_CODES).length);
  });
});
