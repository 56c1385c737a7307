import type { ErrorResponse } from '../http/error-response.js';
import { isStored, replayedError, storedError } from './stored-answer.js';

describe('stored answers of an Idempotency-Key', () => {
  it.each([200, 201, 202, 400, 409, 413, 422, 504])('include a %i', (status) => {
    expect(isStored(status)).toBe(true);
  });

  it.each([401, 403, 404, 429, 500, 502, 503])('do not include a %i, which releases the key', (status) => {
    expect(isStored(status)).toBe(false);
  });

  it('replay an error unchanged and mark it as replayed', () => {
    const error: ErrorResponse = {
      status: 400,
      headers: { 'x-message-id': 'm' },
      body: { error: 'network_rejected', message: 'no “such” number' },
    };
    const again = replayedError(storedError(error));
    expect(again).toEqual({ ...error, headers: { 'x-message-id': 'm', 'idempotency-replayed': 'true' } });
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(error.body));
  });
});
