import type { ErrorResponse } from '../http/error-response.js';
import { isKept, putBack, readableBody, replayedError, storedError, takenApart } from './stored-answer.js';

describe('stored answers of an Idempotency-Key', () => {
  it.each([200, 201, 202, 400, 409, 413, 422, 504])('include a %i', (status) => {
    expect(isKept(status)).toBe(true);
  });

  it.each([401, 403, 404, 429, 500, 502, 503])('do not include a %i, which releases the key', (status) => {
    expect(isKept(status)).toBe(false);
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

  it('store the values of marked fields apart, and put them back byte for byte', () => {
    const body = '{"message":"ü","api_key":{"key":"a name"},"key":"pk_1","secret":null,"n":1e+21}';
    const { answer, shownOnce } = takenApart({ status: 201, headers: {}, body }, ['key', 'other']);
    expect(answer).toEqual({ status: 201, headers: {}, body: body.replace('"pk_1"', 'null'), apart: ['key'] });
    expect(shownOnce).toEqual({ key: 'pk_1' });
    expect(putBack(answer.body, shownOnce ?? {})).toBe(body);
  });

  it('stay as they are when nothing is marked', () => {
    const answer = { status: 200, headers: {}, body: '{ "key": 1 }' };
    expect(takenApart(answer, [])).toEqual({ answer: { ...answer, apart: [] }, shownOnce: null });
  });

  it('are read by others without the keys and secrets that earlier releases stored in them', () => {
    const body = '{"key":"pk_1","secret":"s","webhook":{"key":"kept"}}';
    expect(readableBody({ status: 200, headers: {}, body })).toEqual({ webhook: { key: 'kept' } });
    expect(readableBody({ status: 200, headers: {}, body, apart: [] })).toEqual(JSON.parse(body));
  });
});
