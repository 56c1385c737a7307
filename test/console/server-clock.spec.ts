import { noteDate, noteServerClock, serverNow } from '../../console/data/server-clock.js';

const HOUR = 3_600_000;
/** How far the clock of the service is ahead, in whole seconds. */
const ahead = (): number => Math.round((serverNow().getTime() - Date.now()) / 1000);
const dateIn = (ms: number): string => new Date(Date.now() + ms).toUTCString();

describe('the time of the service', () => {
  it('follows the dates of answers until the stream says it exactly, and again without one', () => {
    noteDate(dateIn(HOUR));
    expect(Math.abs(ahead() - 3600)).toBeLessThanOrEqual(1);
    noteServerClock(-5000);
    expect(ahead()).toBe(-5);
    noteDate(dateIn(HOUR));
    expect(ahead()).toBe(-5);
    noteServerClock(null);
    expect(ahead()).toBe(-5);
    noteDate(dateIn(HOUR));
    expect(Math.abs(ahead() - 3600)).toBeLessThanOrEqual(1);
  });

  it('leaves out what is no date, and differences that whole seconds explain', () => {
    noteServerClock(1400);
    noteServerClock(null);
    noteDate(dateIn(0));
    noteDate(null);
    noteDate('soon');
    expect(ahead()).toBe(1);
  });
});
