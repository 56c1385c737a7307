import { networkStateOf, networkStatusOfError } from './template-state.js';

describe('the state of a template', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['REINSTATED', 'APPROVED'],
    ['UNARCHIVED', 'APPROVED'],
    ['FLAGGED', 'APPROVED'],
    ['LOCKED', 'APPROVED'],
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
    expect(networkStateOf(reported, null, null).status).toBe(status);
  });

  it('keeps the network’s status and the reason of a rejection', () => {
    expect(networkStateOf('REJECTED', 'INVALID_FORMAT', null)).toEqual({
      status: 'REJECTED',
      networkStatus: 'REJECTED',
      rejectionReason: 'INVALID_FORMAT',
    });
    expect(networkStateOf('REJECTED', 'NONE', null).rejectionReason).toBeNull();
    expect(networkStateOf('APPROVED', 'INVALID_FORMAT', null).rejectionReason).toBeNull();
  });

  it.each([
    ['APPROVED', null],
    ['PENDING', null],
    ['REJECTED', 'SCAM'],
  ] as const)('stays %s when the template is locked', (status, rejectionReason) => {
    const locked = { status, networkStatus: 'LOCKED', rejectionReason };
    expect(networkStateOf('LOCKED', 'NONE', { status, rejectionReason })).toEqual(locked);
  });

  it.each([
    [132015, 'PAUSED'],
    [132016, 'DISABLED'],
    [132001, 'MISSING'],
    [131026, null],
  ])('reads %i on a send as %s', (code, networkStatus) => {
    expect(networkStatusOfError(code)).toBe(networkStatus);
  });
});
