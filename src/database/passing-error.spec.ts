import { isConflict, isPassing } from './passing-error.js';

const fault = (code: string | undefined, message = ''): Error => Object.assign(new Error(message), { code });

describe('isPassing', () => {
  it.each([
    ['a refused connection', fault('ECONNREFUSED')],
    ['a reset connection', fault('ECONNRESET')],
    ['a broken pipe', fault('EPIPE')],
    ['a server that is shutting down', fault('57P01')],
    ['a server that is starting', fault('57P03')],
    ['a server without free connections', fault('53300')],
    ['a deadlock that was resolved against us', fault('40P01')],
    ['a pool that found no connection in time', fault(undefined, 'timeout exceeded when trying to connect')],
    ['a connection that ended in mid-statement', fault(undefined, 'Connection terminated unexpectedly')],
    ['an error of the driver, wrapped', { driverError: fault('08006') }],
  ])('counts %s as passing', (_, error) => {
    expect(isPassing(error)).toBe(true);
  });

  it.each([
    ['a broken constraint', fault('23505', 'duplicate key value violates unique constraint')],
    ['a value that cannot be stored', fault('22P05')],
    ['a statement that is wrong', fault('42703')],
    ['a fault of our own', new TypeError('x is undefined')],
    ['nothing', undefined],
  ])('counts %s as lasting', (_, error) => {
    expect(isPassing(error)).toBe(false);
  });
});

describe('isConflict', () => {
  it.each([
    ['a deadlock that was resolved against us', fault('40P01'), true],
    ['a transaction that could not be serialized, wrapped', { driverError: fault('40001') }, true],
    ['a server that is shutting down', fault('57P01'), false],
    ['nothing', undefined, false],
  ])('tells of %s: %#', (_, error, conflict) => {
    expect(isConflict(error)).toBe(conflict);
  });
});
