import { isState, networkStateOf, networkStatusOfError } from './template-state.js';

describe('the state of a template', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['PENDING', 'PENDING'],
    ['IN_APPEAL', 'PENDING'],
    ['PAUSED', 'PENDING'],
    ['SOMETHING_NEW', 'PENDING'],
    ['REJECTED', 'REJECTED'],
    ['DISABLED', 'REJECTED'],
    ['DELETED', 'REJECTED'],
    ['PENDING_DELETION', 'REJECTED'],
    ['LIMIT_EXCEEDED', 'REJECTED'],
    ['ARCHIVED', 'REJECTED'],
  ])('reads the network’s %s as %s', (reported, status) => {
    expect(networkStateOf(reported, null).status).toBe(status);
  });

  it('keeps the network’s status and the reason of a rejection', () => {
    expect(networkStateOf('REJECTED', 'INVALID_FORMAT')).toEqual({
      status: 'REJECTED',
      networkStatus: 'REJECTED',
      rejectionReason: 'INVALID_FORMAT',
    });
    expect(networkStateOf('REJECTED', 'NONE').rejectionReason).toBeNull();
    expect(networkStateOf('APPROVED', 'INVALID_FORMAT').rejectionReason).toBeNull();
  });

  it.each(['APPROVED', 'approved', 'PENDING', 'IN_APPEAL', 'PAUSED', 'REJECTED', 'DISABLED', 'ARCHIVED', 'DELETED'])(
    'is named by the event %s',
    (event) => expect(isState(event)).toBe(true),
  );

  it.each(['FLAGGED', 'LOCKED', 'REINSTATED', 'UNARCHIVED', 'SOMETHING_NEW', ''])(
    'is not named by the event %p',
    (event) => expect(isState(event)).toBe(false),
  );

  it.each([
    [132015, 'PAUSED'],
    [132016, 'DISABLED'],
    [132001, 'MISSING'],
    [131026, null],
  ])('reads %i on a send as %s', (code, networkStatus) => {
    expect(networkStatusOfError(code)).toBe(networkStatus);
  });
});
