import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Browser } from '../sessions/browser.js';
import { until } from '../support/until.js';

/** An event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream as a page does. */
export class EventReader {
  readonly events: StreamEvent[] = [];
  comments = 0;
  isOver = false;
  private rest = '';

  private constructor(
    private readonly sent: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.read(text));
    response.on('close', () => {
      this.isOver = true;
    });
  }

  static open({ world, cookie, account }: Browser, topics: string, headers = {}): Promise<EventReader> {
    const url = `${world.baseUrl}/api/v1/stream?account=${account}&topics=${encodeURIComponent(topics)}`;
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: false, headers: { ...(cookie === null ? {} : { cookie }), ...headers } });
      sent.once('error', reject);
      sent.once('response', (response) => resolve(new EventReader(sent, response)));
      sent.end();
    });
  }

  /** The first event, past or future, that fits. */
  async next(event: string, fits: (data: StreamEvent['data']) => boolean = () => true): Promise<StreamEvent['data']> {
    const found = () => this.events.findLast((each) => each.event === event && fits(each.data));
    await until(`the event ${event} has come`, () => found() !== undefined);
    return found()?.data ?? {};
  }

  close(): void {
    this.sent.destroy();
  }

  private read(text: string): void {
    const blocks = `${this.rest}${text}`.split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event === undefined || data === undefined) this.comments += 1;
      else this.events.push({ event, data: JSON.parse(data) as StreamEvent['data'] });
    }
  }
}
