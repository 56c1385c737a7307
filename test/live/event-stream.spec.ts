import { EventStream } from '../../src/live/event-stream.js';

describe('an event stream', () => {
  it('keeps only the latest state of each topic while nobody reads', () => {
    const stream = new EventStream();
    for (let count = 0; count < 10_000; count += 1) {
      stream.send('a', 'a', `{"count":${count}}`);
      stream.send('b', 'b', `{"count":${count}}`);
    }
    stream.end('reset');
    const text = String(stream.read());
    expect(text.length).toBeLessThan(1000);
    expect(stream.read()).toBeNull();
  });

  it('sends what came first first, and ends with its last event', async () => {
    const stream = new EventStream();
    const texts: string[] = [];
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => texts.push(text));
    const over = new Promise((resolve) => stream.once('end', resolve));
    stream.send('hello', 'hello', '{}');
    await new Promise((resolve) => setImmediate(resolve));
    stream.keepAlive();
    stream.send('a', 'a', '1');
    stream.end('signed_out');
    stream.end('reset');
    stream.send('a', 'a', '2');
    stream.keepAlive();
    await over;
    stream.end('reset');
    const all = texts.join('');
    expect(all.startsWith('event: hello\ndata: {}\n\n')).toBe(true);
    expect(all.endsWith('event: signed_out\ndata: {}\n\n')).toBe(true);
  });
});
