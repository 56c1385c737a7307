import fc from 'fast-check';
import {
  applyReport,
  countsOf,
  type MessageStatus,
  REACHED,
  RETRIED,
  type ReportKind,
  SEEN,
  statusOf,
} from './message-status.js';

const KINDS = Object.keys(SEEN) as ReportKind[];
const NETWORK_REPORTS: ReportKind[] = ['accepted', 'held', 'sent', 'delivered', 'read', 'failed', 'clicked'];

/** Applies reports in order and collects the events they emit. */
function play(reports: readonly ReportKind[]): { seen: number; status: MessageStatus; events: string[] } {
  let seen = 0;
  const events: string[] = [];
  for (const report of reports) {
    const transition = applyReport(seen, report);
    if (transition === null) continue;
    seen = transition.seen;
    events.push(...transition.events.map(({ kind, previous }) => `${kind} from ${previous}`));
  }
  return { seen, status: statusOf(seen), events };
}

describe('message status', () => {
  it('rises through sent, delivered and read with one event each', () => {
    expect(play(['accepted', 'sent', 'delivered', 'read'])).toMatchObject({
      status: 'read',
      events: ['message.sent from pending', 'message.delivered from sent', 'message.read from delivered'],
    });
  });

  it('takes any report before the answer as evidence of acceptance', () => {
    expect(play(['delivered', 'accepted']).events).toEqual([
      'message.sent from pending',
      'message.delivered from sent',
    ]);
  });

  it('keeps a held message at accepted and emits message.sent with the next report', () => {
    expect(play(['held'])).toMatchObject({ status: 'accepted', events: [] });
    expect(countsOf(play(['held']).seen).sent).toBe(1);
    expect(play(['held', 'sent'])).toMatchObject({ status: 'sent', events: ['message.sent from accepted'] });
  });

  it('counts a read without a delivered report as sent and delivered too', () => {
    expect(countsOf(play(['accepted', 'read']).seen)).toEqual({
      sent: 1,
      delivered: 1,
      read: 1,
      failed: 0,
      held: 0,
    });
  });

  it('emits message.failed after delivered without changing status or failed count', () => {
    const { status, seen, events } = play(['accepted', 'delivered', 'failed']);
    expect(status).toBe('delivered');
    expect(countsOf(seen).failed).toBe(0);
    expect(events.at(-1)).toBe('message.failed from delivered');
  });

  it('lowers the failed count when delivery is reported after failed', () => {
    expect(countsOf(play(['accepted', 'failed']).seen).failed).toBe(1);
    expect(countsOf(play(['accepted', 'failed', 'delivered']).seen).failed).toBe(0);
  });

  it('lets any sign of acceptance replace a failure at the horizon', () => {
    expect(play(['expired'])).toMatchObject({ status: 'failed', events: ['message.failed from pending'] });
    expect(play(['expired', 'sent']).status).toBe('sent');
    expect(play(['expired', 'failed']).status).toBe('failed');
  });

  it('counts a message as held until the network releases or fails it, or has been silent for too long', () => {
    expect(countsOf(play(['held']).seen)).toMatchObject({ sent: 1, held: 1, failed: 0 });
    for (const next of ['accepted', 'sent', 'delivered', 'read', 'clicked'] as const) {
      expect(countsOf(play(['held', next]).seen)).toMatchObject({ sent: 1, held: 0, failed: 0 });
    }
    expect(countsOf(play(['held', 'failed']).seen)).toMatchObject({ sent: 1, held: 0, failed: 1 });
    expect(countsOf(play(['held', 'silent']).seen)).toMatchObject({ sent: 1, held: 0, failed: 1 });
  });

  it('fails a message that the network accepted and never reported, until a report says more', () => {
    const { status, seen, events } = play(['accepted', 'silent']);
    expect([status, events.at(-1)]).toEqual(['failed', 'message.failed from sent']);
    expect(countsOf(seen)).toMatchObject({ sent: 1, failed: 1 });
    expect(play(['held', 'silent'])).toMatchObject({ status: 'failed', events: ['message.failed from accepted'] });
    expect(play(['accepted', 'silent', 'sent'])).toMatchObject({
      status: 'sent',
      events: ['message.sent from pending', 'message.failed from sent', 'message.sent from failed'],
    });
    expect(play(['accepted', 'silent', 'delivered'])).toMatchObject({ status: 'delivered' });
    expect(play(['accepted', 'silent', 'delivered']).events.at(-1)).toBe('message.delivered from failed');
    expect(play(['accepted', 'silent', 'failed']).status).toBe('failed');
    expect(countsOf(play(['accepted', 'silent', 'read']).seen).failed).toBe(0);
  });

  it('never takes a message for silent that was not accepted, or has a report', () => {
    const others: ReportKind[] = ['sent', 'delivered', 'read', 'clicked', 'failed', 'refused', 'expired', 'cancelled'];
    for (const kind of others) expect(applyReport(SEEN[kind], 'silent')).toBeNull();
    expect(applyReport(0, 'silent')).toBeNull();
  });

  it('never expires a message that has any report', () => {
    for (const kind of NETWORK_REPORTS) expect(applyReport(SEEN[kind], 'expired')).toBeNull();
  });

  it('depends only on the set of reports, not on their order or repetition', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...NETWORK_REPORTS), { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        (reports, order) => {
          const keys = order[Symbol.iterator]();
          const shuffled = reports
            .flatMap((report) => [report, report])
            .map((report) => ({ report, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ report }) => report);
          expect(play(shuffled).seen).toBe(play(reports).seen);
          expect(play(shuffled).status).toBe(play(reports).status);
        },
      ),
    );
  });

  it('ignores our own guesses once the network has reported, wherever they come in the order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...NETWORK_REPORTS), { minLength: 1, maxLength: 8 }),
        fc.nat(8),
        fc.constantFrom<ReportKind>('expired', 'refused', 'cancelled'),
        (reports, place, guess) => {
          const guessed = [...reports.slice(0, place), guess, ...reports.slice(place)];
          expect(play(guessed).status).toBe(play(reports).status);
          const counts = countsOf(play(reports).seen);
          // A cancelled recipient is counted as cancelled, never as failed as well.
          const isCancelled = guess === 'cancelled' && place === 0;
          expect(countsOf(play(guessed).seen)).toEqual(isCancelled ? { ...counts, failed: 0 } : counts);
        },
      ),
      { examples: [[['failed'], 0, 'cancelled']] },
    );
  });

  it('counts no failure of a cancelled recipient and nothing of a retried one, whatever is reported later', () => {
    const { seen, status, events } = play(['cancelled']);
    expect({ status, events, failed: countsOf(seen).failed }).toEqual({
      status: 'failed',
      events: ['message.failed from pending'],
      failed: 0,
    });
    const retried = play(['accepted', 'failed']).seen | RETRIED;
    const nothing = { sent: 0, delivered: 0, read: 0, failed: 0, held: 0 };
    expect([statusOf(retried), countsOf(retried)]).toEqual(['failed', nothing]);
    for (const kind of KINDS) {
      const after = applyReport(retried, kind)?.seen ?? retried;
      expect([kind, statusOf(after), countsOf(after)]).toEqual([kind, statusOf(after & ~RETRIED), nothing]);
    }
  });

  it('never counts more deliveries than sends or more reads than deliveries', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KINDS), { maxLength: 12 }), (reports) => {
        const { sent, delivered, read, failed } = countsOf(play(reports).seen);
        expect(sent).toBeGreaterThanOrEqual(delivered);
        expect(delivered).toBeGreaterThanOrEqual(read);
        expect(delivered + failed).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('has a bit that proves each step that it counts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KINDS), { maxLength: 12 }), (reports) => {
        const { seen } = play(reports);
        const proved = Object.entries(REACHED).map(([step, bits]) => [step, Number((seen & bits) !== 0)]);
        expect(countsOf(seen)).toMatchObject(Object.fromEntries(proved));
      }),
    );
  });

  it('emits the event of each distinct report exactly once, and message.sent again if it disproves a failure', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KINDS), { maxLength: 20 }), (reports) => {
        const { events, seen } = play(reports);
        const kinds = events.map((event) => event.split(' ')[0]);
        for (const kind of ['message.delivered', 'message.read']) {
          expect(kinds.filter((found) => found === kind).length).toBeLessThanOrEqual(1);
        }
        const isDisproved = events.includes('message.sent from failed') && (seen & SEEN.silent) !== 0;
        const sent = kinds.filter((found) => found === 'message.sent').length;
        expect(sent).toBeLessThanOrEqual(isDisproved ? 2 : 1);
        expect(kinds.includes('message.delivered')).toBe((seen & SEEN.delivered) !== 0);
        expect(kinds.includes('message.read')).toBe((seen & SEEN.read) !== 0);
      }),
      { examples: [[['accepted', 'silent', 'sent']], [['expired', 'sent']]] },
    );
  });
});
