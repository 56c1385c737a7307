import { InFlightRoom } from './in-flight-room.js';

describe('the room for messages in flight', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('admits what fits, and the rest when messages leave', async () => {
    const room = new InFlightRoom(100);
    await room.enter('a', 100);
    let entered = false;
    const waiting = room.enter('b', 10).then(() => {
      entered = true;
    });
    await settled();
    expect(entered).toBe(false);
    room.leave('a', 50);
    await waiting;
    expect(room.size).toBe(60);
    room.leave('a', 50);
    room.leave('b', 10);
    expect(room.size).toBe(0);
  });

  it('keeps room for other accounts, however much one account requests', async () => {
    const room = new InFlightRoom(100);
    let entered = 0;
    for (let group = 0; group < 20; group += 1) {
      void room.enter('greedy', 10).then(() => {
        entered += 1;
      });
    }
    await settled();
    expect(entered).toBe(5);
    await room.enter('modest', 10);
    await room.enter('another', 10);
    expect(room.size).toBe(70);
  });

  it('serves waiting accounts in turn, and the groups of each in order', async () => {
    const room = new InFlightRoom(10);
    await room.enter('first', 10);
    const order: string[] = [];
    const wait = (account: string, name: string) =>
      room.enter(account, 10).then(() => {
        order.push(name);
        room.leave(account, 10);
      });
    const all = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b1'), wait('c', 'c1')];
    room.leave('first', 10);
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('ignores zero messages leaving', () => {
    const room = new InFlightRoom(10);
    room.leave('nobody', 0);
    expect(room.size).toBe(0);
  });
});
