import { EventParser, type ServerEvent } from '../../console/data/event-parser.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a parser makes of parts that come one after the other. */
function parsed(...parts: readonly Uint8Array[]): ServerEvent[] {
  const parser = new EventParser();
  return parts.flatMap((part) => parser.push(part));
}

const STREAM = [
  ': \n\n',
  'event: hello\ndata: {"server_time":"2026-11-27T16:15:00Z"}\n\n',
  'event: campaign\r\ndata: {"name":"Früh­ling 🌷",\r\ndata:  "sent_count": 1}\r\n\r\n',
  ': still here\n\n',
  'data\ndata: \n\n',
  'event: nothing\n\n',
  'id: 7\nretry: 10\nother: x\ndata:a:b\n\n',
  'event: last\rdata: 1\r\r',
  'event: cut\ndata: never ended\n',
].join('');

const EVENTS: readonly ServerEvent[] = [
  { event: 'hello', data: '{"server_time":"2026-11-27T16:15:00Z"}' },
  { event: 'campaign', data: '{"name":"Früh­ling 🌷",\n "sent_count": 1}' },
  { event: 'message', data: '\n' },
  { event: 'message', data: 'a:b' },
  { event: 'last', data: '1' },
];

describe('the parser of events', () => {
  const bytes = bytesOf(STREAM);

  it('reads events, and leaves out comments and what it does not know', () => {
    expect(parsed(bytes)).toEqual(EVENTS);
  });

  it('reads the same wherever the bytes are cut', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect([cut, parsed(bytes.subarray(0, cut), bytes.subarray(cut))]).toEqual([cut, EVENTS]);
    }
  });

  it('reads the same byte by byte', () => {
    expect(parsed(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  it('gives an event with the byte that completes it', () => {
    const parser = new EventParser();
    expect(parser.push(bytesOf('event: a\ndata: 1\n'))).toEqual([]);
    expect(parser.push(bytesOf('\n'))).toEqual([{ event: 'a', data: '1' }]);
  });

  it('refuses to collect without end', () => {
    const parser = new EventParser();
    const part = bytesOf('x'.repeat(100_000));
    expect(() => {
      for (let times = 0; times < 20; times += 1) parser.push(part);
    }).toThrow('too long');
  });
});
