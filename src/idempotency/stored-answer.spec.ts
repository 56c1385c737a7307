import type { ErrorResponse } from '../http/error-response.js';
import { errorAgain, isKept, storedError } from './stored-answer.js';

describe('answers stored for an Idempotency-Key', () => {
  it.each([200, 201, 202, 400, 409, 413, 422, 504])('include a %i', (status) => {
    expect(isKept(status)).toBe(true);
  });

  it.each([401, 403, 404, 429, 500, 502, 503])('exclude a %i, which releases the key', (status) => {
    expect(isKept(status)).toBe(false);
  });

  it('replay an error unchanged, marked as a replay', () => {
    const error: ErrorResponse = {
      status: 400,
      headers: { 'x-message-id': 'm' },
      body: { error: 'network_rejected', message: 'no “such” number' },
    };
    const again = errorAgain(storedError(error));
    expect(again).toEqual({ ...error, headers: { 'x-message-id': 'm', 'idempotency-replayed': 'true' } });
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(error.body));
  });
});
