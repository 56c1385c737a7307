import { DatabaseUnavailable } from './database-unavailable.js';
import { isConflict, isTransient, transientReason } from './transient-errors.js';

const fault = (code: string | undefined, message = ''): Error => Object.assign(new Error(message), { code });

describe('isTransient', () => {
  it.each([
    ['a refused connection', fault('ECONNREFUSED')],
    ['a reset connection', fault('ECONNRESET')],
    ['a broken pipe', fault('EPIPE')],
    ['a server that is shutting down', fault('57P01')],
    ['a server that is starting', fault('57P03')],
    ['a server without free connections', fault('53300')],
    ['a deadlock that we lost', fault('40P01')],
    ['a pool timeout', fault(undefined, 'timeout exceeded when trying to connect')],
    ['a statement that took too long', fault('57014')],
    ['a lock timeout', fault('55P03')],
    ['a transaction that was left idle', fault('25P03')],
    ['a serialization failure', fault('40001')],
    ['a server that has become a standby', fault('25006')],
    ['a disk that is full', fault('53100')],
    ['an I/O error on the server', fault('58030')],
    ['a pooler that has lost its server', fault('08P01', 'server conn crashed?')],
    ['a host that cannot be reached', fault('EHOSTUNREACH')],
    ['a temporary DNS failure', fault('EAI_AGAIN')],
    ['a database that does not respond', new DatabaseUnavailable('the database did not answer within 6 s')],
    ['a database that does not respond, wrapped', { driverError: new DatabaseUnavailable('silent') }],
    [
      'a statement on a broken connection',
      fault(undefined, 'Client has encountered a connection error and is not queryable'),
    ],
    ['a connection that ended mid-statement', fault(undefined, 'Connection terminated unexpectedly')],
    ['an error of the driver, wrapped', { driverError: fault('08006') }],
  ])('treats %s as transient', (_, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['a unique violation', fault('23505', 'duplicate key value violates unique constraint')],
    ['a value that cannot be stored', fault('22P05')],
    ['an invalid statement', fault('42703')],
    ['a bug of ours', new TypeError('x is undefined')],
    ['a bug of ours that mentions a connection', new Error('the connection of the parts is unclear')],
    ['a missing file', fault('ENOENT')],
    ['a slow HTTP host', fault('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error')],
    ['a check constraint', fault('23514')],
    ['nothing', undefined],
  ])('treats %s as permanent', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });
});

describe('isConflict', () => {
  it.each([
    ['a deadlock that we lost', fault('40P01'), true],
    ['a serialization failure, wrapped', { driverError: fault('40001') }, true],
    ['a server that is shutting down', fault('57P01'), false],
    ['nothing', undefined, false],
  ])('recognises %s: %#', (_, error, conflict) => {
    expect(isConflict(error)).toBe(conflict);
  });
});

describe('transientReason', () => {
  it.each([
    [new DatabaseUnavailable('the database did not answer within 6 s'), 'the database did not answer within 6 s'],
    [
      fault('55P03', 'canceling statement due to lock timeout'),
      'another request is using a record that this one needs',
    ],
    [{ driverError: fault('57014') }, 'the database took too long'],
    [fault('40P01'), 'another request was changing the same records'],
    [fault('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'), 'the database is unreachable'],
  ])('uses plain words and contains no address: %#', (error, reason) => {
    expect(transientReason(error)).toBe(reason);
  });
});
