import { type ConnectionSplit, type ConnectionUse, minConnections, splitConnections } from './connection-split.js';

const EVERYTHING: ConnectionUse = { worker: true, queuesInPostgres: 2 };
const USES: ConnectionUse[] = [true, false].flatMap((worker) =>
  [2, 0].map((queuesInPostgres) => ({ worker, queuesInPostgres })),
);
const sum = (split: ConnectionSplit): number => Object.values(split).reduce((total, each) => total + each, 0);

describe('splitConnections', () => {
  it('splits the default of a process with both roles and queues on PostgreSQL', () => {
    expect(splitConnections(20, EVERYTHING)).toEqual({
      control: 2,
      reads: 3,
      writes: 3,
      pipeline: 6,
      background: 2,
      listen: 1,
      queue: 3,
    });
  });

  it('gives connections that no worker or PostgreSQL queue needs to the other purposes', () => {
    expect(splitConnections(20, { worker: false, queuesInPostgres: 0 })).toEqual({
      control: 2,
      reads: 4,
      writes: 4,
      pipeline: 8,
      background: 2,
      listen: 0,
      queue: 0,
    });
  });

  it.each(USES)('divides every total from the minimum up, with a connection for each purpose: %j', (use) => {
    for (let total = minConnections(use); total <= 200; total += 1) {
      const split = splitConnections(total, use);
      expect(sum(split)).toBe(total);
      expect(split).toMatchObject(total === 200 ? {} : { listen: use.worker ? 1 : 0 });
      for (const purpose of ['control', 'reads', 'writes', 'pipeline', 'background'] as const) {
        expect(split[purpose]).toBeGreaterThanOrEqual(1);
      }
      expect(split.background).toBeGreaterThanOrEqual(2);
      expect(split.writes).toBeGreaterThanOrEqual(2);
    }
  });

  it('needs 11 connections for a process that does everything', () => {
    expect(minConnections(EVERYTHING)).toBe(11);
  });
});
