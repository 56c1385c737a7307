import { AttemptLimit, paceOf } from './attempt-limit.js';

const limit = () => new AttemptLimit({ initial: 4, min: 1, max: 64 });

describe('AttemptLimit', () => {
  it('doubles per round trip while responses are quick, up to its maximum', () => {
    const growing = limit();
    const rooms: number[] = [];
    for (let trip = 0; trip < 6; trip += 1) {
      const { room } = growing;
      rooms.push(room);
      growing.take(room);
      for (let i = 0; i < room; i += 1) growing.settle('quick');
    }
    expect(rooms).toEqual([4, 8, 16, 32, 64, 64]);
  });

  it('stays the same while responses are slow, so that a small receiver is not driven into timeouts', () => {
    const steady = limit();
    steady.take(4);
    for (let i = 0; i < 4; i += 1) steady.settle('slow');
    expect(steady.room).toBe(4);
  });

  it('leaves a hanging receiver one attempt at a time', () => {
    const shrinking = limit();
    shrinking.take(4);
    for (let i = 0; i < 4; i += 1) shrinking.settle('stuck');
    expect(shrinking.room).toBe(1);
  });

  it('has no room while all slots are taken, even after it shrank', () => {
    const full = limit();
    full.take(4);
    expect(full.room).toBe(0);
    full.settle('stuck');
    expect(full.room).toBe(0);
    expect(full.worthLeasing).toBe(false);
  });

  it('permits a lease when idle or half empty', () => {
    const half = limit();
    expect(half.worthLeasing).toBe(true);
    half.take(4);
    half.settle('quick');
    expect(half.worthLeasing).toBe(false);
    half.settle('quick');
    half.settle('quick');
    expect(half.worthLeasing).toBe(true);
  });

  it('takes back unused slots', () => {
    const unused = limit();
    unused.take(4);
    unused.giveBack(3);
    expect(unused.room).toBe(3);
    expect(unused.idle).toBe(false);
  });
});

describe('the room of one sharer of a limit', () => {
  const sharer = (used: number) => {
    const own = limit();
    own.take(used);
    return own;
  };

  it('is the free room', () => {
    const shared = limit();
    shared.take(1);
    expect(shared.roomFor(sharer(1), 2)).toBe(3);
  });

  it('is the rest of its equal share when others have taken everything else', () => {
    const full = limit();
    full.take(4);
    expect(full.roomFor(sharer(0), 2)).toBe(2);
    expect(full.roomFor(sharer(1), 2)).toBe(1);
    expect(full.roomFor(sharer(2), 2)).toBe(0);
    expect(full.roomFor(sharer(4), 2)).toBe(0);
  });

  it('is at least one for a sharer that has nothing, however many sharers there are', () => {
    const full = limit();
    full.take(4);
    expect(full.roomFor(sharer(0), 100)).toBe(1);
    expect(full.roomFor(sharer(1), 100)).toBe(0);
  });
});

describe('paceOf', () => {
  it('calls a response slow that took more than half of the timeout', () => {
    expect(paceOf(true, 0.5)).toBe('quick');
    expect(paceOf(true, 0.51)).toBe('slow');
  });

  it('calls an attempt stuck that must be retried, however quickly it failed', () => {
    expect(paceOf(false, 0.01)).toBe('stuck');
  });
});
