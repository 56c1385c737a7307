import { DeliveryWindow, paceOf } from './delivery-window.js';

const window = () => new DeliveryWindow({ first: 4, least: 1, most: 64 });

describe('DeliveryWindow', () => {
  it('doubles per round trip while answers are quick, up to its maximum', () => {
    const growing = window();
    const rooms: number[] = [];
    for (let trip = 0; trip < 6; trip += 1) {
      const { room } = growing;
      rooms.push(room);
      growing.take(room);
      for (let i = 0; i < room; i += 1) growing.settle('quick');
    }
    expect(rooms).toEqual([4, 8, 16, 32, 64, 64]);
  });

  it('stays unchanged while answers are slow, so that a small receiver is not driven into timeouts', () => {
    const steady = window();
    steady.take(4);
    for (let i = 0; i < 4; i += 1) steady.settle('slow');
    expect(steady.room).toBe(4);
  });

  it('allows a hanging receiver one attempt at a time', () => {
    const shrinking = window();
    shrinking.take(4);
    for (let i = 0; i < 4; i += 1) shrinking.settle('stuck');
    expect(shrinking.room).toBe(1);
  });

  it('has no room while the window is full, even after it shrank', () => {
    const full = window();
    full.take(4);
    expect(full.room).toBe(0);
    full.settle('stuck');
    expect(full.room).toBe(0);
    expect(full.worthwhile).toBe(false);
  });

  it('permits a claim when idle or half empty', () => {
    const half = window();
    expect(half.worthwhile).toBe(true);
    half.take(4);
    half.settle('quick');
    expect(half.worthwhile).toBe(false);
    half.settle('quick');
    half.settle('quick');
    expect(half.worthwhile).toBe(true);
  });

  it('takes back unused room', () => {
    const unused = window();
    unused.take(4);
    unused.giveBack(3);
    expect(unused.room).toBe(3);
    expect(unused.idle).toBe(false);
  });
});

describe('a sharer’s room in a window', () => {
  const sharer = (used: number) => {
    const own = window();
    own.take(used);
    return own;
  };

  it('is the free room', () => {
    const shared = window();
    shared.take(1);
    expect(shared.roomFor(sharer(1), 2)).toBe(3);
  });

  it('is the rest of its equal share when others have taken everything else', () => {
    const full = window();
    full.take(4);
    expect(full.roomFor(sharer(0), 2)).toBe(2);
    expect(full.roomFor(sharer(1), 2)).toBe(1);
    expect(full.roomFor(sharer(2), 2)).toBe(0);
    expect(full.roomFor(sharer(4), 2)).toBe(0);
  });

  it('is at least one for a sharer with none, however many sharers there are', () => {
    const full = window();
    full.take(4);
    expect(full.roomFor(sharer(0), 100)).toBe(1);
    expect(full.roomFor(sharer(1), 100)).toBe(0);
  });
});

describe('paceOf', () => {
  it('is slow for an answer that took more than half the timeout', () => {
    expect(paceOf(true, 0.5)).toBe('quick');
    expect(paceOf(true, 0.51)).toBe('slow');
  });

  it('is stuck for an attempt that needs a retry, however quickly it failed', () => {
    expect(paceOf(false, 0.01)).toBe('stuck');
  });
});
