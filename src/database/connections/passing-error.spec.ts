import { DatabaseUnavailable } from './database-unavailable.js';
import { isConflict, isPassing, passingReason } from './passing-error.js';

const fault = (code: string | undefined, message = ''): Error => Object.assign(new Error(message), { code });

describe('isPassing', () => {
  it.each([
    ['a refused connection', fault('ECONNREFUSED')],
    ['a reset connection', fault('ECONNRESET')],
    ['a broken pipe', fault('EPIPE')],
    ['a server that is shutting down', fault('57P01')],
    ['a server that is starting', fault('57P03')],
    ['a server without free connections', fault('53300')],
    ['a deadlock whose victim we were', fault('40P01')],
    ['a pool that found no connection in time', fault(undefined, 'timeout exceeded when trying to connect')],
    ['a statement timeout', fault('57014')],
    ['a lock timeout', fault('55P03')],
    ['an idle transaction', fault('25P03')],
    ['a serialization failure', fault('40001')],
    ['a server that has become a standby', fault('25006')],
    ['a full disk', fault('53100')],
    ['an I/O error of the server', fault('58030')],
    ['a pooler that lost its server', fault('08P01', 'server conn crashed?')],
    ['a host that cannot be reached', fault('EHOSTUNREACH')],
    ['a name that cannot be resolved for now', fault('EAI_AGAIN')],
    ['a database that does not answer', new DatabaseUnavailable('the database did not answer within 6 s')],
    ['a database that does not answer, wrapped', { driverError: new DatabaseUnavailable('silent') }],
    [
      'a statement on a broken connection',
      fault(undefined, 'Client has encountered a connection error and is not queryable'),
    ],
    ['a connection that ended mid-statement', fault(undefined, 'Connection terminated unexpectedly')],
    ['a wrapped driver error', { driverError: fault('08006') }],
  ])('treats %s as transient', (_, error) => {
    expect(isPassing(error)).toBe(true);
  });

  it.each([
    ['a violated constraint', fault('23505', 'duplicate key value violates unique constraint')],
    ['a value that cannot be stored', fault('22P05')],
    ['an invalid statement', fault('42703')],
    ['a bug of our own', new TypeError('x is undefined')],
    ['a bug of our own that mentions a connection', new Error('the connection of the parts is unclear')],
    ['a missing file', fault('ENOENT')],
    ['another host that times out', fault('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error')],
    ['a check constraint', fault('23514')],
    ['nothing', undefined],
  ])('treats %s as permanent', (_, error) => {
    expect(isPassing(error)).toBe(false);
  });
});

describe('isConflict', () => {
  it.each([
    ['a deadlock whose victim we were', fault('40P01'), true],
    ['a transaction that could not be serialized, wrapped', { driverError: fault('40001') }, true],
    ['a server that is shutting down', fault('57P01'), false],
    ['nothing', undefined, false],
  ])('classifies %s: %#', (_, error, conflict) => {
    expect(isConflict(error)).toBe(conflict);
  });
});

describe('passingReason', () => {
  it.each([
    [new DatabaseUnavailable('the database did not answer within 6 s'), 'the database did not answer within 6 s'],
    [
      fault('55P03', 'canceling statement due to lock timeout'),
      'a record that the request needs is in use by another one',
    ],
    [{ driverError: fault('57014') }, 'the database took too long'],
    [fault('40P01'), 'the request met another one that changes the same records'],
    [fault('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'), 'the database is out of reach'],
  ])('gives a plain reason without addresses: %#', (error, reason) => {
    expect(passingReason(error)).toBe(reason);
  });
});
