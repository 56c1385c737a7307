import fc from 'fast-check';
import { countsOf, SEEN, statusOf } from '../message-status.js';
import { reachedTimes, type TimelineRow, timelineOf } from './message-timeline.js';

/** Milliseconds after a whole second. */
const at = (ms: number): Date => new Date(1_790_000_000_000 + ms);

/** An outbound message created at 700 ms, with the reports `seen`. */
function outgoing(seen: number, reached: Partial<TimelineRow>): TimelineRow {
  return {
    direction: 'out',
    seen,
    status: statusOf(seen),
    createdAt: at(700),
    acceptedAt: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    clickedAt: null,
    failedAt: null,
    ...reached,
  };
}
const shown = (row: TimelineRow): [string, number][] =>
  timelineOf(row).map((step) => [step.status, step.at.getTime() - at(0).getTime()]);

describe('the timeline of a message', () => {
  it('has one step for a received message', () => {
    expect(shown({ ...outgoing(0, {}), direction: 'in' })).toEqual([['received', 700]]);
  });

  it('keeps the order of statuses although the network’s times are whole seconds', () => {
    const seen = SEEN.accepted | SEEN.sent | SEEN.delivered | SEEN.read | SEEN.clicked;
    const reached = { acceptedAt: at(750), sentAt: at(0), deliveredAt: at(0), readAt: at(1000) };
    expect(shown(outgoing(seen, { ...reached, clickedAt: at(3000) }))).toEqual([
      ['pending', 700],
      ['accepted', 700],
      ['sent', 700],
      ['delivered', 700],
      ['read', 1000],
      ['clicked', 3000],
    ]);
  });

  it('keeps the exact times of steps that are in order', () => {
    const reached = { acceptedAt: at(750), sentAt: at(2000), deliveredAt: at(4000) };
    expect(shown(outgoing(SEEN.accepted | SEEN.sent | SEEN.delivered, reached))).toEqual([
      ['pending', 700],
      ['accepted', 750],
      ['sent', 2000],
      ['delivered', 4000],
    ]);
  });

  it('shows an acceptance reported late no later than the delivery that implies it', () => {
    const reached = { deliveredAt: at(2000), acceptedAt: at(5400), sentAt: at(5400) };
    expect(shown(outgoing(SEEN.delivered | SEEN.accepted, reached))).toEqual([
      ['pending', 700],
      ['accepted', 2000],
      ['sent', 2000],
      ['delivered', 2000],
    ]);
  });

  it('ends with failed if the message is failed', () => {
    const reached = { acceptedAt: at(1100), sentAt: at(1100), failedAt: at(0) };
    expect(shown(outgoing(SEEN.accepted | SEEN.failed, reached))).toEqual([
      ['pending', 700],
      ['accepted', 1100],
      ['sent', 1100],
      ['failed', 1100],
    ]);
    expect(shown(outgoing(SEEN.refused, { failedAt: at(900) }))).toEqual([
      ['pending', 700],
      ['failed', 900],
    ]);
  });

  it('keeps a failure that the network reported for a delivered message', () => {
    const reached = { acceptedAt: at(750), sentAt: at(750), failedAt: at(2000), deliveredAt: at(5000) };
    expect(shown(outgoing(SEEN.accepted | SEEN.failed | SEEN.delivered, reached)).map(([status]) => status)).toEqual([
      'pending',
      'accepted',
      'sent',
      'failed',
      'delivered',
    ]);
    const late = { ...reached, failedAt: at(9000) };
    expect(shown(outgoing(SEEN.accepted | SEEN.failed | SEEN.delivered, late)).at(-1)).toEqual(['failed', 9000]);
  });

  it('drops an assumed failure once a report has disproved it', () => {
    const reached = { failedAt: at(2000), deliveredAt: at(5000) };
    expect(shown(outgoing(SEEN.expired, { failedAt: at(2000) })).at(-1)).toEqual(['failed', 2000]);
    expect(shown(outgoing(SEEN.expired | SEEN.delivered, reached))).toEqual([
      ['pending', 700],
      ['delivered', 5000],
    ]);
    expect(shown(outgoing(SEEN.expired | SEEN.failed, reached)).at(-1)?.[0]).toBe('failed');
  });
});

describe('the times of a message', () => {
  const times = (row: TimelineRow): (number | null)[] => {
    const { accepted, delivered, read, clicked } = reachedTimes(row);
    return [accepted, delivered, read, clicked].map((time) =>
      time === null ? null : time.getTime() - at(0).getTime(),
    );
  };

  it('are null until it is accepted, and for one that was refused', () => {
    expect(times(outgoing(0, {}))).toEqual([null, null, null, null]);
    expect(times(outgoing(SEEN.refused, { failedAt: at(900) }))).toEqual([null, null, null, null]);
  });

  it('are those of the timeline', () => {
    const reached = { acceptedAt: at(750), sentAt: at(1000), deliveredAt: at(2000), readAt: at(3000) };
    expect(times(outgoing(SEEN.accepted | SEEN.delivered | SEEN.read, reached))).toEqual([750, 2000, 3000, null]);
    const late = { deliveredAt: at(2000), acceptedAt: at(5400), sentAt: at(5400) };
    expect(times(outgoing(SEEN.delivered | SEEN.accepted, late))).toEqual([2000, 2000, null, null]);
  });

  it('give a step that only a later one implies the time of that one', () => {
    expect(times(outgoing(SEEN.accepted | SEEN.read, { acceptedAt: at(750), readAt: at(3000) }))).toEqual([
      750,
      3000,
      3000,
      null,
    ]);
    expect(times(outgoing(SEEN.clicked, { clickedAt: at(3000) }))).toEqual([3000, 3000, 3000, 3000]);
  });

  it('take a failure that the network reported for an acceptance', () => {
    expect(times(outgoing(SEEN.failed, { failedAt: at(0) }))).toEqual([700, null, null, null]);
    const reached = { acceptedAt: at(750), failedAt: at(2000) };
    expect(times(outgoing(SEEN.accepted | SEEN.failed, reached))).toEqual([750, null, null, null]);
  });

  it('are there for each step that is counted, in order', () => {
    const columns = { sent: 'sentAt', delivered: 'deliveredAt', read: 'readAt', clicked: 'clickedAt' } as const;
    fc.assert(
      fc.property(
        fc.array(fc.record({ kind: fc.constantFrom('accepted', 'held', ...STEPS), ms: fc.nat(9999) }), {
          maxLength: 8,
        }),
        (reports) => {
          const seen = reports.reduce((bits, { kind }) => bits | SEEN[kind], 0);
          const reached = Object.fromEntries(
            reports.map(({ kind, ms }) => {
              const column = kind === 'failed' ? 'failedAt' : kind in columns ? columns[kind as 'sent'] : 'acceptedAt';
              return [column, at(ms)];
            }),
          );
          const shownTimes = times(outgoing(seen, reached));
          const { sent, delivered, read } = countsOf(seen);
          expect(shownTimes.slice(0, 3).map((time) => Number(time !== null))).toEqual([sent, delivered, read]);
          const known = shownTimes.filter((time) => time !== null);
          expect(known).toEqual([...known].sort((a, b) => a - b));
        },
      ),
    );
  });
});

const STEPS = ['sent', 'delivered', 'read', 'clicked', 'failed'] as const;
