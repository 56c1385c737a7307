import { GroupedLines } from './grouped-lines.js';

describe('grouped log lines', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    written.splice(0);
  });
  afterEach(() => jest.useRealTimers());

  const written: string[] = [];
  const lines = new GroupedLines((line) => written.push(line), 1000);
  const fails = (name: string) => lines.add(`${name} fails`, (count) => `${count} more fail`);

  it('log the first immediately and count the others', () => {
    fails('one');
    expect(written).toEqual(['one fails']);
    fails('two');
    fails('three');
    jest.advanceTimersByTime(1000);
    expect(written).toEqual(['one fails', '2 more fail']);
  });

  it('log nothing more when nothing follows, then start over', () => {
    fails('one');
    jest.advanceTimersByTime(1000);
    fails('two');
    jest.advanceTimersByTime(1000);
    expect(written).toEqual(['one fails', 'two fails']);
  });
});
