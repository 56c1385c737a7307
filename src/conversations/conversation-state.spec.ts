import {
  assign,
  changeTime,
  isReassignment,
  previousAssignee,
  reopen,
  reopenForCustomer,
  resolve,
  unassign,
} from './conversation-state.js';

const unassigned = { status: 'open', assignedTo: null } as const;
const adas = { status: 'open', assignedTo: 'ada' } as const;
const adasResolved = { status: 'resolved', assignedTo: 'ada' } as const;

describe('conversation status', () => {
  it('assign sets the assignee of an open conversation', () => {
    expect(assign(unassigned, 'ada')).toEqual({ kind: 'assigned', from: unassigned, to: adas });
  });

  it('assigning the agent already assigned changes nothing', () => {
    expect(assign(adas, 'ada')).toBeNull();
  });

  it('rejects assign on a resolved conversation, even to its own assignee (400)', () => {
    expect(() => assign(adasResolved, 'bob')).toThrow('the conversation is resolved: reopen it before assigning it');
    expect(() => assign(adasResolved, 'ada')).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('unassign is idempotent and does not change the status', () => {
    expect(unassign(adas)?.to).toEqual(unassigned);
    expect(unassign(unassigned)).toBeNull();
    expect(unassign(adasResolved)?.to).toEqual({ status: 'resolved', assignedTo: null });
  });

  it('reopen assigns a resolved conversation to the owner, and is a no-op on an open one', () => {
    expect(reopen(adasResolved, 'olive', false)?.to).toEqual({ status: 'open', assignedTo: 'olive' });
    expect(reopen(adas, 'olive', false)).toBeNull();
    expect(reopen(unassigned, 'olive', true)?.to).toEqual({ status: 'open', assignedTo: 'olive' });
  });

  it('a customer reply reopens a resolved conversation and keeps the former assignee if still active', () => {
    expect(reopenForCustomer(adasResolved, true)?.to).toEqual(adas);
    expect(reopenForCustomer(adasResolved, false)?.to).toEqual(unassigned);
    expect(reopenForCustomer(adas, true)).toBeNull();
  });

  it('resolve keeps the assignee and is idempotent', () => {
    expect(resolve(adas)?.to).toEqual(adasResolved);
    expect(resolve(adasResolved)).toBeNull();
  });

  it('only a change from one agent to another is a reassignment', () => {
    const steps = [assign(adas, 'bob'), assign(unassigned, 'bob'), unassign(adas), resolve(adas)];
    expect(steps.map((step) => step && isReassignment(step))).toEqual([true, false, false, false]);
    expect(steps.map((step) => step && previousAssignee(step))).toEqual(['ada', null, 'ada', null]);
  });
});

describe('the time of a status change', () => {
  const noon = new Date('2026-01-31T12:00:00.000Z');
  const later = (ms: number) => new Date(noon.getTime() + ms);

  it('is now', () => {
    expect(changeTime(noon, null)).toEqual(noon);
    expect(changeTime(later(1), noon)).toEqual(later(1));
  });

  it('is always after the previous change, whatever the clock says', () => {
    expect(changeTime(noon, noon)).toEqual(later(1));
    expect(changeTime(noon, later(5000))).toEqual(later(5001));
  });
});
