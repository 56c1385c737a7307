/** An event of a stream as it was sent. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Characters of one event; a longer one is no event of ours. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads server-sent events (the `text/event-stream` of the HTML standard) from bytes that are cut anywhere. Ids and
 * retry times are left out: Parley sends none.
 */
export class EventParser {
  private readonly decoder = new TextDecoder();
  /** Of a line whose end has not come. */
  private rest = '';
  private event = '';
  private data: string[] = [];
  private characters = 0;

  /**
   * @returns the events that these bytes complete
   * @throws Error for a stream that is none of ours
   */
  push(bytes: Uint8Array): ServerEvent[] {
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    const events: ServerEvent[] = [];
    let start = 0;
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      // The line feed that belongs to it may be in the next bytes.
      if (end === '\r' && index === text.length - 1) break;
      this.read(text.slice(start, index), events);
      start = index + end.length;
    }
    this.rest = text.slice(start);
    if (this.rest.length + this.characters > MAX_CHARACTERS) throw new Error('an event of the stream is too long');
    return events;
  }

  private read(line: string, events: ServerEvent[]): void {
    if (line === '') {
      if (this.data.length > 0) events.push({ event: this.event || 'message', data: this.data.join('\n') });
      this.event = '';
      this.data = [];
      this.characters = 0;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') {
      this.data.push(value);
      this.characters += value.length;
    }
  }
}
