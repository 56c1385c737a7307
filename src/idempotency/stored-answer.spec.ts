import type { ErrorResponse } from '../http/error-response.js';
import { errorAgain, isKept, storedError } from './stored-answer.js';

describe('answers kept for an Idempotency-Key', () => {
  it.each([200, 201, 202, 400, 409, 413, 422, 504])('keep a %i', (status) => {
    expect(isKept(status)).toBe(true);
  });

  it.each([401, 403, 404, 429, 500, 502, 503])('do not keep a %i, which releases the key', (status) => {
    expect(isKept(status)).toBe(false);
  });

  it('give an error again as it was, and say so', () => {
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
